// Handwritten digits: reading them, and learning to.

import type { DeviceInfo } from "../backend.js";
import type { FileSource } from "./files.js";
import { Model, type ModelOptions, numberOf } from "./model.js";

/** Pixels of an image: 28 rows of 28. */
export const DIGIT_PIXELS = 784;
const N_CLASSES = 10;

/** What a network thinks of an image. */
export interface DigitGuess {
  /** The most likely digit. */
  readonly digit: number;
  /** The probability of each digit. */
  readonly probabilities: Float32Array;
}

/** A picture in shades of gray. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Row after row; 0 is paper and 1 is ink. */
  readonly ink: Float32Array;
}

/** A trained network that reads digits. */
export class DigitReader {
  readonly #model: Model;
  #elapsedMs = 0;

  private constructor(model: Model) {
    this.#model = model;
  }

  /** Opens a network from its weights (safetensors or .npz, as PyTorch names them). */
  static async open(weights: FileSource, options: ModelOptions = {}): Promise<DigitReader> {
    return new DigitReader(await Model.open("digits", { weights }, {}, options));
  }

  /** The device it runs on. */
  get device(): DeviceInfo {
    return this.#model.device;
  }

  /** Time that the latest `read` took where it ran, without the way to a worker and back. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Reads images of 784 numbers each, from 0 (paper) to 1 (ink), one after the other. */
  async read(images: Float32Array): Promise<DigitGuess[]> {
    const answer = await this.#model.ask("classify", {}, images);
    this.#elapsedMs = answer.elapsedMs;
    return guessesOf(answer.data);
  }

  /** A drawing of any size as the image a network takes: scaled into 20×20, its center of mass in the middle of 28×28. */
  async prepare({ width, height, ink }: Drawing): Promise<Float32Array> {
    return (await this.#model.ask("prepare", { width, height }, ink)).data;
  }

  /** Lets go of the network. */
  dispose(): void {
    this.#model.dispose();
  }
}

/** Files and settings of a training. */
export interface DigitTraining {
  /** MNIST's four files, unpacked. */
  readonly files: {
    readonly images: FileSource;
    readonly labels: FileSource;
    readonly test_images: FileSource;
    readonly test_labels: FileSource;
  };
  /** "mlp" (784 → 128 → 10) unless told. */
  readonly network?: "mlp" | "cnn";
  /** Times that every image is seen; 5 unless told. */
  readonly epochs?: number;
  /** Images per step; 128 unless told. */
  readonly batch?: number;
  /** Learning rate of the first step, which falls to zero along half a cosine; 0.002 unless told. */
  readonly rate?: number;
  /** Decides first weights and order. */
  readonly seed?: number;
  /** Pixels by which images are moved, anew each time. */
  readonly shift?: number;
}

/** How far a training is. */
export interface DigitProgress {
  /** The loss of each step since the last answer. */
  readonly losses: readonly number[];
  /** Steps done, and in all. */
  readonly step: number;
  readonly steps: number;
  /** Epochs done. */
  readonly epoch: number;
  /** Whether it is over. */
  readonly done: boolean;
}

/** A network that is being trained. Ask for one thing at a time. */
export class DigitTrainer {
  readonly #model: Model;

  private constructor(model: Model) {
    this.#model = model;
  }

  /** Gets the images and makes a network that knows nothing yet. */
  static async open({ files, ...settings }: DigitTraining, options: ModelOptions = {}): Promise<DigitTrainer> {
    return new DigitTrainer(await Model.open("digit_trainer", files, settings, options));
  }

  /** The device it runs on. */
  get device(): DeviceInfo {
    return this.#model.device;
  }

  /** Some steps, fewer at the end of an epoch. */
  async train(steps: number): Promise<DigitProgress> {
    const { value } = await this.#model.ask("train", { steps });
    return value as unknown as DigitProgress;
  }

  /** Share of the test images that are read rightly now. */
  async accuracy(): Promise<number> {
    return numberOf(await this.#model.ask("evaluate"), "accuracy");
  }

  /** Reads images with what has been learned so far; see `DigitReader.read`. */
  async read(images: Float32Array): Promise<DigitGuess[]> {
    return guessesOf((await this.#model.ask("classify", {}, images)).data);
  }

  /** The weights so far, as a safetensors file. */
  async weights(): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.#model.ask("weights")).file;
  }

  /** Lets go of everything. */
  dispose(): void {
    this.#model.dispose();
  }
}

/** The most likely digit of each row of probabilities. */
export function guessesOf(probabilities: Float32Array): DigitGuess[] {
  return Array.from({ length: probabilities.length / N_CLASSES }, (_, image) => {
    const row = probabilities.subarray(image * N_CLASSES, (image + 1) * N_CLASSES);
    return { digit: row.indexOf(Math.max(...row)), probabilities: row };
  });
}
