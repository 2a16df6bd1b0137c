// The entry "tilework/solve": sparse nonlinear least squares and energies, with a module of their own.

export { CompiledResiduals } from "./solve/compiled.js";
export type { CompiledParams, CompileOptions, CompileProgress, SparseMatrix } from "./solve/compiled.js";
export { type BlockOf, ParamSet } from "./solve/params.js";
export { Problem } from "./solve/problem.js";
export type { BlocksOf, DataOf, Family, FamilyDatum, FamilyParam, Indices, Instances } from "./solve/problem.js";
export { type Operand, Scalar } from "./solve/scalar.js";
export { Session } from "./solve/session.js";
export type { RunRequest, Stepped } from "./solve/session.js";
export type { CompiledCounts, Counts, Iteration, Loss, Precision, Reason, RunOptions, SolveOptions, Strategy, Summary } from "./solve/types.js";
export { type ScalarSources, V } from "./solve/v.js";
export { type Residuals, Vec2, Vec3, Vec4 } from "./solve/vectors.js";
export type { LinearName, ManifoldName, MeshEnergyName, MethodName, ScalarFunctions } from "./generated/graph_ops.js";
export type { DeviceChoice, DeviceInfo } from "./backend.js";
export { TileworkError } from "./errors.js";
