/** The side of the drawing pad in pixels. */
export const PAD_SIZE = 140;

/** A drawing: [140, 140] row by row, 0 (paper) to 1 (ink). */
export type Ink = Float32Array;
