// The project's documents, as they are in the repository; a new one in docs/ appears with no other edit.

const FILES = import.meta.glob<string>(["../../../../docs/*.md", "../../../../ARCHITECTURE.md", "../../../../CONTRIBUTING.md", "../../../../CHANGELOG.md"], { query: "?raw", import: "default" });

const SUMMARIES: Record<string, string> = {
  architecture: "how the engine is built, and why",
  ops: "every operation",
  numerics: "how exact each function is",
  performance: "how fast it is, and how to measure",
  solving: "nonlinear least squares",
  "pixel-format": "models as pictures",
  "pixels-computing": "kernels that read pictures",
  contributing: "how to add an operation",
  changelog: "what changed",
};

export interface DocumentFile {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly load: () => Promise<string>;
}

export const DOCUMENTS: readonly DocumentFile[] = Object.entries(FILES)
  .map(([file, load]) => {
    const path = file.replace(/^(?:\.\.\/)+/, "");
    const id = (path.split("/").at(-1) ?? path).replace(/\.md$/, "").toLowerCase();
    return { id, path, summary: SUMMARIES[id] ?? "", load };
  })
  .sort((a, b) => order(a.id) - order(b.id) || a.id.localeCompare(b.id));

function order(id: string): number {
  const at = Object.keys(SUMMARIES).indexOf(id);
  return at < 0 ? Object.keys(SUMMARIES).length : at;
}

/** The document a link inside a document means; undefined for anything else. */
export function documentOfLink(target: string): DocumentFile | undefined {
  const name = target.split("#")[0]?.split("/").at(-1)?.toLowerCase();
  return DOCUMENTS.find((document) => `${document.id}.md` === name);
}
