// Both libraries read the same prompts and write the same number of tokens, in turns.

import { LanguageModel } from "/tilework/llm.js";
import { Wllama } from "/peers/node_modules/@wllama/wllama/esm/index.js";

const N_WRITTEN = 48;
const PEER = "/peers/node_modules/@wllama/wllama";

// A text of about 256 tokens that is new in every round, so that no cache helps.
function prompt(round) {
  const facts = Array.from({ length: 18 }, (_, i) => `Station ${round + 1}.${i + 1} measured ${(37 * i + 11 * round) % 89} units of rain in week ${i + 3}.`);
  return `Weather report number ${round}.\n${facts.join(" ")}\nIn short, the reports say that`;
}

const speed = (promptTokens, promptMs, writtenTokens, writtenMs) => ({
  promptTokens,
  writtenTokens,
  promptPerSecond: (1000 * promptTokens) / promptMs,
  writtenPerSecond: (1000 * writtenTokens) / writtenMs,
});

async function openTilework(url) {
  const model = await LanguageModel.open(url, { device: "cpu", keep: false });
  const ask = async (prompt) => {
    const { timings } = await model.completions.create({ prompt, max_tokens: N_WRITTEN, temperature: 0, ignore_eos: true });
    const { promptTokens, cachedTokens, promptMs, writtenTokens, writtenMs } = timings;
    return speed(promptTokens - cachedTokens, promptMs, writtenTokens - 1, writtenMs);
  };
  return { ask, name: model.summary.name };
}

async function openPeer(url) {
  const peer = new Wllama({ default: `${PEER}/esm/wasm/wllama.wasm` }, { suppressNativeLog: true });
  const blob = await (await fetch(url)).blob();
  await peer.loadModel([blob], { n_threads: 1, n_ctx: 2048, n_gpu_layers: 0 });
  return async (prompt) => {
    const { timings } = await peer.createCompletion({ prompt, max_tokens: N_WRITTEN, temp: 0, temperature: 0, ignore_eos: true, cache_prompt: false, stream: false });
    return speed(timings.prompt_n, timings.prompt_ms, timings.predicted_n, timings.predicted_ms);
  };
}

window.measure = async (url, nRounds) => {
  console.info("opening both");
  const own = await openTilework(url);
  const peer = await openPeer(url);
  const rounds = [];
  // The first round warms both up and does not count.
  for (let round = 0; round <= nRounds; round++) {
    const text = prompt(round);
    const both = { tilework: await own.ask(text), wllama: await peer(text) };
    console.info(`round ${round}: ${JSON.stringify(both)}`);
    if (round > 0) rounds.push(both);
  }
  const { version } = await (await fetch(`${PEER}/package.json`)).json();
  return { name: own.name, rounds, version };
};
