// Every kernel of the project, found by its file: a new one appears here with no other edit.

const FILES = import.meta.glob<string>("../../../../crates/**/*.wgsl", { query: "?raw", import: "default" });

export interface KernelFile {
  /** In addresses: "matmul/matmul_tiled". */
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly group: string;
  readonly load: () => Promise<string>;
}

export interface KernelGroup {
  readonly name: string;
  readonly files: readonly KernelFile[];
}

/** The operation a file belongs to, else the part of the engine. */
export function groupOf(path: string): string {
  const op = /\/src\/ops\/([^/]+)\//.exec(path)?.[1];
  if (op !== undefined) return op;
  if (path.includes("/emit/")) return "fused expressions";
  return path.split("/").at(-2)?.replaceAll("_", " ") ?? "others";
}

export function kernelFiles(files: Record<string, () => Promise<string>> = FILES): KernelFile[] {
  return Object.entries(files).map(([path, load]) => {
    const parts = path.split("/");
    const name = parts.at(-1) ?? path;
    return { id: `${parts.at(-2) ?? ""}/${name.replace(/\.wgsl$/, "")}`, name, path: path.replace(/^(?:\.\.\/)+/, ""), group: groupOf(path), load };
  });
}

export function kernelGroups(files: readonly KernelFile[]): KernelGroup[] {
  const names = [...new Set(files.map((file) => file.group))].sort();
  return names.map((name) => ({ name, files: files.filter((file) => file.group === name).sort((a, b) => a.name.localeCompare(b.name)) }));
}
