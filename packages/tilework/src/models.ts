// The entry "tilework/models": networks that are ready to be asked, with a module of their own.

export { DIGIT_PIXELS, DigitReader, DigitTrainer } from "./models/digits.js";
export type { DigitGuess, DigitProgress, DigitTraining, Drawing } from "./models/digits.js";
export { Embedder, similarity } from "./models/embedder.js";
export type { EmbedderFiles } from "./models/embedder.js";
export type { FileSource, ModelProgress } from "./models/files.js";
export { Model } from "./models/model.js";
export type { ModelAnswer, ModelOptions } from "./models/model.js";
export { placeOf, spanOf, weightsAt } from "./models/pixel_layout.js";
export type { PixelRect, PixelTensor, PixelWeights, WeightSpan } from "./models/pixel_layout.js";
export { PIXEL_TILE, PixelModel } from "./models/pixels.js";
export type { PixelColors, PixelHistogram, PixelImage, PixelInfo, PixelOptions, PixelSheet, PixelTileRequest, TensorChange, TensorCheck } from "./models/pixels.js";
export { TileworkError } from "./errors.js";
