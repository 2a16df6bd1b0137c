import type { PixelTensor } from "tilework/models";

/** Common widths of a head. */
const HEAD_WIDTHS = [64, 128, 32, 96, 80];
const MAX_PARTS = 256;

/** Into how many groups of rows a tensor falls: the heads that its file tells of, usual heads of an attention, else its rows. */
export function defaultParts(tensor: PixelTensor, metadata: Readonly<Record<string, string>>): number {
  const { rows, name } = tensor;
  const told = Object.entries(metadata).filter(([key]) => /(head_count(_kv)?|num_(attention|key_value)_heads)$/.test(key)).map(([, value]) => Number(value));
  const isAttention = /attn|attention/i.test(name) && /(^|[._])(q|k|v|query|key|value|q_proj|k_proj|v_proj|attn_q|attn_k|attn_v)([._]|$)/i.test(name);
  if (isAttention) {
    const fits = told.filter((n) => n > 1 && rows % n === 0 && HEAD_WIDTHS.includes(rows / n));
    // A matrix of keys has the heads of keys, which are fewer: the one that gives the width of the others.
    const isKey = /(^|[._])(k|v|key|value|k_proj|v_proj|attn_k|attn_v)([._]|$)/i.test(name);
    const best = isKey ? fits.at(-1) : fits[0];
    if (best !== undefined) return best;
    const width = HEAD_WIDTHS.find((wide) => rows % wide === 0 && rows > wide);
    if (width !== undefined && rows / width <= MAX_PARTS) return rows / width;
  }
  return rows <= MAX_PARTS ? rows : largestDivisor(rows);
}

function largestDivisor(rows: number): number {
  for (let n = MAX_PARTS; n > 1; n--) if (rows % n === 0) return n;
  return 1;
}
