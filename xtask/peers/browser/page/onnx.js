// Writes small ONNX models, since ONNX Runtime computes nothing else. The format is Protocol Buffers; the field numbers are those
// of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).

const IR_VERSION = 8;
// The first with LayerNormalization.
const OPSET = 17;
const FLOAT = 1;
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;

const WIRE_VARINT = 0;
const WIRE_BYTES = 2;
const WIRE_32_BIT = 5;

/** Numbers below 2^53, seven bits to a byte, lowest first; a negative one takes ten bytes, as 64-bit two's complement. */
function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

const tag = (field, wire) => varint((field << 3) | wire);
const integer = (field, value) => [...tag(field, WIRE_VARINT), ...varint(value)];
const float = (field, value) => [...tag(field, WIRE_32_BIT), ...new Uint8Array(new Float32Array([value]).buffer)];
const bytes = (field, content) => [...tag(field, WIRE_BYTES), ...varint(content.length), ...content];
const text = (field, value) => bytes(field, new TextEncoder().encode(value));
const message = (field, ...parts) => bytes(field, parts.flat());

function attribute([name, { int, float: real }]) {
  const isFloat = int === undefined;
  const value = isFloat ? float(2, real) : integer(3, int);
  return message(5, text(1, name), value, integer(20, isFloat ? ATTRIBUTE_FLOAT : ATTRIBUTE_INT));
}

function node({ op, inputs, output, attributes = {} }) {
  return message(
    1,
    inputs.flatMap((name) => text(1, name)),
    text(2, output),
    text(4, op),
    Object.entries(attributes).flatMap(attribute),
  );
}

/** A number that belongs to the model. */
const constant = ([name, value]) => message(5, integer(2, FLOAT), float(4, value), text(8, name));

function valueInfo(field, [name, shape]) {
  const dimensions = shape.flatMap((size) => message(1, integer(1, size)));
  return message(field, text(1, name), message(2, message(1, integer(1, FLOAT), message(2, dimensions))));
}

/**
 * The bytes of a model of 32-bit floats. `inputs` and `outputs` map names to shapes, `constants` names to numbers; `nodes` are
 * `{ op, inputs, output, attributes }` in an order in which they can be computed, an attribute being `{ int }` or `{ float }`.
 */
export function onnxModel({ inputs, outputs, constants = {}, nodes }) {
  const graph = message(
    7,
    nodes.flatMap(node),
    text(2, "work"),
    Object.entries(constants).flatMap(constant),
    Object.entries(inputs).flatMap((entry) => valueInfo(11, entry)),
    Object.entries(outputs).flatMap((entry) => valueInfo(12, entry)),
  );
  return new Uint8Array([...integer(1, IR_VERSION), ...text(2, "tilework-bench"), ...graph, ...message(8, integer(2, OPSET))]);
}
