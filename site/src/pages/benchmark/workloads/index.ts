// All workloads, in the order of the page.
import { chain } from "./chain";
import { fft } from "./fft";
import { matmul } from "./matmul";
import { softmax } from "./softmax";
import { sum } from "./sum";
import type { Workload } from "./workload";

export type { Workload } from "./workload";

export const WORKLOADS: readonly Workload[] = [matmul, chain, sum, softmax, fft];

export function findWorkload(id: string | null): Workload | undefined {
  return WORKLOADS.find((workload) => workload.id === id);
}
