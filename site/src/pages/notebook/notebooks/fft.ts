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
    `// Complex numbers: shape, type, and the first of them.
const spectrum = noisy.rfft();
show(spectrum.shape, spectrum.dtype, spectrum.at("1:4"), spectrum.angle().at("1:4"));`,
    `const power = spectrum.abs().square();
plot(tw.rfftfreq(n, { spacing: 1 / n }).at(":40"), power.at(":40"), { title: "Power of the first 40 frequencies" });`,
    `// spectrum[12:] = 0 of NumPy.
const filtered = spectrum.setAt("12:", 0).irfft({ n });
plot(t, tw.stack([filtered, clean], { axis: 0 }), { names: ["filtered", "clean"] });`,
    `const error = (signal) => signal.sub(clean).square().mean().sqrt();
show(error(noisy), error(filtered));`,
  ],
};
