import { href } from "../../app/router";
import { Icon } from "../../ui/Icon";
import { PAGES } from "../registry";
import { WaveDemo } from "./WaveDemo";
import "./home.css";

const INVITATIONS: Record<string, string> = {
  learn: "Eight lessons from the first buffer to a network that reads your handwriting, in raw WebGPU, with an editor.",
  chat: "Talk to a language model that runs in this tab: drop a GGUF file, and nothing of what you write leaves it.",
  digits: "Draw a digit and see it read, or train the network that reads it, in seconds.",
  search: "Find the lines of a text that mean what you ask, whatever their words.",
  pixels: "See a model as a picture: zoom into single weights, paint over them, watch it change its mind, save it as a PNG.",
  optimize: "Pull a mesh and watch it settle, or draw a sketch that obeys: nonlinear least squares with exact derivatives, live.",
  benchmark: "Time GPU, CPU and plain JavaScript on this machine, with every element of every result checked.",
  conformance: "Run every operation’s test cases in this browser, on the GPU and on the CPU.",
  kernels: "Read each WGSL kernel, or type an expression and see the kernel and the derivative it becomes.",
  about: "How it works, which browsers have WebGPU, and what stays on your device (everything).",
};

export default function Home() {
  return (
    <div className="page home">
      <section className="hero">
        <div className="hero-text">
          <h1>Array computing on your own GPU, in this page</h1>
          <p className="lead">
            Tilework is a Rust engine for NumPy-style arrays. Expressions become fused WebGPU kernels, with exact derivatives; where
            there is no GPU, the same operations run on the CPU by WebAssembly SIMD.
          </p>
          <div className="row">
            <a className="button button-primary button-large" href={href("benchmark")}>Run a benchmark</a>
            <a className="button button-large" href={href("kernels")}>See the kernels</a>
          </div>
          <ul className="promises">
            <li><Icon name="check" size={16} /> Computed live, on this device</li>
            <li><Icon name="check" size={16} /> GPU checked against the CPU at every start</li>
            <li><Icon name="check" size={16} /> Nothing uploaded, no account</li>
          </ul>
        </div>
        <WaveDemo />
      </section>
      <section aria-labelledby="explore">
        <h2 id="explore" className="visually-hidden">Explore</h2>
        <ul className="tiles">
          {PAGES.filter((page) => page.id !== "").map((page) => (
            <li key={page.id}>
              <a className="tile" href={href(page.id)}>
                <Icon name={page.icon} size={20} />
                <b>{page.title}</b>
                <span>{INVITATIONS[page.id] ?? ""}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
