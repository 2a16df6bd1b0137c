// The gallery. A notebook is one file and one line here.
import type { NotebookSource } from "../document";
import { basics } from "./basics";
import { convolution } from "./convolution";
import { fft } from "./fft";
import { heat } from "./heat";
import { kmeans } from "./kmeans";
import { life } from "./life";
import { mandelbrot } from "./mandelbrot";
import { pca } from "./pca";
import { regression } from "./regression";

const blank: NotebookSource = { id: "blank", title: "Your own", summary: "An empty notebook.", cells: ["tw.arange(10)"] };

export const NOTEBOOKS: readonly NotebookSource[] = [basics, kmeans, pca, heat, fft, life, mandelbrot, regression, convolution, blank];
