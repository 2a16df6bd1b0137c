import { href } from "../../app/router";
import { useText } from "../../lib/useText";
import { Callout } from "../../ui/layout";
import { outsideAddress } from "../../ui/markdown/links";
import { Markdown } from "../../ui/markdown/Markdown";
import { documentOfLink, type DocumentFile } from "./documents";

export function DocumentReader({ file }: { file: DocumentFile }) {
  const { text: source, failed } = useText(file);
  if (failed) return <Callout tone="bad" title="This document could not be loaded">Check the connection and open it again.</Callout>;
  if (source === null) return <div className="page-loading" role="status"><span className="spinner" /> Loading {file.path}…</div>;
  return <article className="prose"><Markdown source={source.replace(/<!--[\s\S]*?-->/g, "")} resolve={addressOf} /></article>;
}

/** Documents link to each other by file. */
function addressOf(target: string): string | null {
  const document = documentOfLink(target);
  return document === undefined ? outsideAddress(target) : href("about", { doc: document.id });
}
