// "tilework/llm" in Node.js, on the CPU. Run `npm run build` first.
//
// The model is not part of the repository: TILEWORK_TEST_DATA names a folder with stories260K/. Without it these tests say so
// and are skipped.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspect, LanguageModel, memoryBytes, storedModels } from "../dist/llm.js";
import { rejects } from "./cases.mjs";

const folder = process.env.TILEWORK_TEST_DATA && join(process.env.TILEWORK_TEST_DATA, "stories260K");
const hasData = folder !== undefined && existsSync(folder);
if (!hasData) console.warn("NOT TESTED: language models; TILEWORK_TEST_DATA names no folder with stories260K/");
const file = (format) => join(folder, `stories260K-${format}.gguf`);

/** Text and parts of a stream. */
async function read(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return { parts, text: parts.map(({ choices: [choice] }) => choice.text ?? choice.delta.content ?? "").join("") };
}

describe.skipIf(!hasData)("a tiny model", () => {
  let model;
  const seen = [];
  beforeAll(async () => {
    model = await LanguageModel.open(pathToFileURL(file("f32")), { device: "cpu", contextLength: 300, onProgress: (progress) => seen.push(progress) });
  });
  afterAll(() => model.dispose());

  test("it says what it is before and after", async () => {
    const summary = await inspect(pathToFileURL(file("q4_0")));
    expect(summary).toMatchObject({ architecture: "llama", format: "Q4_0", hasChatTemplate: false });
    expect(summary.problem).toBeUndefined();
    expect(memoryBytes(summary, 512) - memoryBytes(summary, 256)).toBe(256 * summary.cacheBytesPerToken);
    expect(model.summary.contextLength).toBe(512);
    expect([model.contextLength, model.device.backend, model.templateProblem]).toEqual([300, "cpu", ""]);
    expect(seen.map(({ stage }) => stage).filter((stage, i, all) => stage !== all[i - 1])).toEqual(["engine", "head", "weights", "ready"]);
    expect(seen.at(-1).loadedBytes).toBe(seen.at(-1).totalBytes);
  });

  test("its greedy story is llama.cpp's", async () => {
    const golden = JSON.parse(await readFile(join(folder, "golden_llamacpp.json"), "utf8"));
    // Both round activations to 8 bits, each in its own way; a story may fork where two tokens are nearly as likely.
    for (const [format, n] of [["f32", 150], ["q8_0", 100], ["q4_0", 50]]) {
      const own = await LanguageModel.open(pathToFileURL(file(format)), { device: "cpu" });
      const { ids } = golden.outputs[`stories260K-${format}.gguf`];
      // The story begins with the token that begins every text.
      const answer = await own.completions.create({ prompt: "", max_tokens: n, temperature: 0 });
      expect(answer.choices[0].text.trim()).toBe((await own.detokenize(ids.slice(0, n))).trim());
      own.dispose();
    }
  });

  test("an answer streams, counts and can be had whole", async () => {
    const request = { prompt: "Once upon a time", max_tokens: 30, temperature: 0 };
    const prompted = [];
    const { parts, text } = await read(
      await model.completions.create({ ...request, stream: true }, { onPrompt: (done, total) => prompted.push([done, total]) }),
    );
    const whole = await model.completions.create(request);
    expect(whole.choices[0].text).toBe(text);
    expect(text.length).toBeGreaterThan(50);
    expect(parts.at(-1).choices[0].finish_reason).toBe("length");
    expect(parts.at(-1).usage).toMatchObject({ completion_tokens: 30 });
    expect(parts.slice(0, -1).every(({ choices: [choice] }) => choice.finish_reason === null)).toBe(true);
    expect(prompted.at(-1)).toEqual([whole.usage.prompt_tokens, whole.usage.prompt_tokens]);
    expect(whole.timings.writtenTokens).toBe(30);
    // The second time only the last token of the prompt was read.
    expect(whole.timings.cachedTokens).toBe(whole.usage.prompt_tokens - 1);
  });

  test("conversations have OpenAI's shape", async () => {
    const messages = [{ role: "user", content: "Tell me about Lily." }];
    const request = { messages, max_tokens: 8, seed: 3, logprobs: true, top_logprobs: 2 };
    const answer = await model.chat.completions.create(request);
    expect(answer).toMatchObject({ object: "chat.completion", choices: [{ message: { role: "assistant" }, finish_reason: "length" }] });
    expect(answer.choices[0].logprobs.content).toHaveLength(8);
    expect(answer.choices[0].logprobs.content[0].top_logprobs).toHaveLength(2);
    const { parts, text } = await read(await model.chat.completions.create({ ...request, stream: true }));
    expect(text).toBe(answer.choices[0].message.content);
    expect(parts[0].choices[0].delta.role).toBe("assistant");
    expect(parts[1].choices[0].delta.role).toBeUndefined();
    expect(await model.countTokens(messages)).toBe(answer.usage.prompt_tokens);
    const json = await model.chat.completions.create({ messages, max_tokens: 60, response_format: { type: "json_object" } });
    expect(json.choices[0].message.content).toMatch(/^\s*\{/);
  });

  test("it stops when nobody reads any more, or when told", async () => {
    const request = { prompt: "Once upon a time", max_tokens: 250, stream: true, seed: 1 };
    let n = 0;
    for await (const _ of await model.completions.create(request)) if (++n === 3) break;
    const controller = new AbortController();
    const stream = await model.completions.create(request, { signal: controller.signal });
    const reading = read(stream);
    setTimeout(() => controller.abort(new Error("enough")), 5);
    await expect(reading).rejects.toThrow("enough");
    await expect(model.completions.create({ prompt: "x" }, { signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow("never");
    // And answers again.
    const answer = await model.completions.create({ prompt: "The cat", max_tokens: 3, temperature: 0 });
    expect(answer.usage.completion_tokens).toBe(3);
  });

  test("requests at once are answered one after the other", async () => {
    const ask = (prompt) => model.completions.create({ prompt, max_tokens: 12, temperature: 0 });
    const alone = [await ask("The dog"), await ask("A bird")].map((answer) => answer.choices[0].text);
    const together = await Promise.all([ask("The dog"), ask("A bird"), ask("The dog")]);
    expect(together.map((answer) => answer.choices[0].text)).toEqual([alone[0], alone[1], alone[0]]);
  });

  test("mistakes have codes and say what is wrong", async () => {
    await rejects("argument", model.chat.completions.create({ messages: [] }));
    await rejects("argument", model.completions.create({ prompt: "x", temperature: -1 }));
    await rejects("argument", model.completions.create({ prompt: "long ".repeat(500) }));
    await expect(model.completions.create({ prompt: "long ".repeat(500) })).rejects.toThrow(/room for 299/);
    await rejects("argument", model.detokenize([999999]));
    await rejects("argument", LanguageModel.open(pathToFileURL(file("f32")), { contextLength: -1 }));
    await rejects("io", LanguageModel.open(new Uint8Array(100)));
    await rejects("io", LanguageModel.open(pathToFileURL("/nowhere/x.gguf")));
    await rejects("io", LanguageModel.open((await readFile(file("f32"))).subarray(0, 200_000)));
    await rejects("argument", LanguageModel.open([]));
    expect(await storedModels()).toEqual([]);
  });

  test("bytes, blobs and addresses are the same model", async () => {
    const bytes = await readFile(file("q8_0"));
    const server = createServer((request, response) => {
      const [, start, end] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
      if (request.url !== "/model.gguf") return response.writeHead(404).end();
      if (start === undefined) return response.writeHead(200, { "content-length": bytes.length }).end(bytes);
      const part = bytes.subarray(Number(start), end ? Number(end) + 1 : undefined);
      response.writeHead(206, { "content-range": `bytes ${start}-${Number(start) + part.length - 1}/${bytes.length}` }).end(part);
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const origin = `http://127.0.0.1:${server.address().port}`;
    try {
      expect((await inspect(`${origin}/model.gguf`)).fileBytes).toBe(bytes.length);
      const texts = [];
      for (const source of [new Uint8Array(bytes), new Blob([bytes]), `${origin}/model.gguf`, new URL("/model.gguf", origin)]) {
        const own = await LanguageModel.open(source, { device: "cpu" });
        texts.push((await own.completions.create({ prompt: "One day", max_tokens: 10, temperature: 0 })).choices[0].text);
        own.dispose();
      }
      expect(new Set(texts).size).toBe(1);
      await rejects("io", inspect(`${origin}/other.gguf`));
    } finally {
      server.close();
    }
  });

  test("what is disposed of says so", async () => {
    const own = await LanguageModel.open(pathToFileURL(file("f32")), { device: "cpu" });
    const stream = await own.completions.create({ prompt: "Once", max_tokens: 400, stream: true });
    const reading = read(stream);
    own.dispose();
    await rejects("disposed", reading);
  });
});
