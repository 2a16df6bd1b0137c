import type { NotebookSource } from "../document";

export const fft: NotebookSource = {
  id: "fft-filter",
  title: "FFT filter",
  summary: "Noise is taken out of a signal by leaving out its high frequencies.",
  cells: [
    `const n = 256;
const t = tw.linspace(0, 1, n);
const clean = t.mul(2 * Math.PI * 3).sin().add(t.mul(2 * Math.PI * 7).cos().mul(0.5));
const noisy = clean.add(tw.random(5).normal([n], { deviation: 0.4 }));
plot(t, noisy, { title: "With noise" });`,
    `// Real and imaginary parts are the last axis.
const spectrum = noisy.rfft({ axis: 0 });
const power = spectrum.square().sum({ axis: 1 });
plot(power.slice(0, 0, 40), { title: "Power of the first 40 frequencies" });`,
    `const keep = tw.arange(n / 2 + 1).lt(12).cast("float32").expandDims(1);
const filtered = spectrum.mul(keep).irfft({ axis: 0, n });
plot(t, tw.stack([filtered, clean], { axis: 0 }), { names: ["filtered", "clean"] });`,
    `const error = (signal) => signal.sub(clean).square().mean().sqrt();
show(error(noisy), error(filtered));`,
  ],
};
