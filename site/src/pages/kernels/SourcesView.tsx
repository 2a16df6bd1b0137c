import { useState } from "react";
import { setQuery, useRoute } from "../../app/router";
import { useText } from "../../lib/useText";
import { Card, Callout, Empty } from "../../ui/layout";
import { CodeView } from "../../ui/code/CodeView";
import { contractOf } from "../../ui/code/highlight";
import { kernelFiles, kernelGroups, type KernelFile } from "./sources";

const ALL = kernelFiles();

export function SourcesView() {
  const { query } = useRoute();
  const [filter, setFilter] = useState("");
  const selected = ALL.find((file) => file.id === query.get("file")) ?? ALL.find((file) => file.name === "matmul_tiled.wgsl") ?? ALL[0];
  const groups = kernelGroups(ALL.filter((file) => `${file.group} ${file.name}`.includes(filter.trim().toLowerCase())));
  return (
    <div className="sources">
      <Card className="sources-list">
        <input className="input" type="search" aria-label="Filter kernels" placeholder="Filter kernels" data-shortcut="/" value={filter} onChange={(event) => setFilter(event.target.value)} />
        <nav aria-label="Kernels">
          {groups.length === 0 && <p className="small">No kernel has that in its name.</p>}
          {groups.map((group) => (
            <section key={group.name}>
              <h3>{group.name}</h3>
              <ul>
                {group.files.map((file) => (
                  <li key={file.id}>
                    <button type="button" aria-current={file === selected ? "true" : undefined} onClick={() => setQuery({ file: file.id })}>{file.name}</button>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
      </Card>
      {selected === undefined ? <Empty icon="code" title="No kernels in this build" /> : <Source key={selected.id} file={selected} />}
    </div>
  );
}

function Source({ file }: { file: KernelFile }) {
  const { text: source, failed } = useText(file);
  if (failed) return <Callout tone="bad" title="This kernel could not be loaded">Check the connection and choose it again.</Callout>;
  if (source === null) return <div className="page-loading" role="status"><span className="spinner" /> Loading {file.name}…</div>;
  const contract = contractOf(source);
  return (
    <Card title={file.name} note={<span className="mono">{file.path}</span>} className="source">
      {contract !== "" && <pre className="contract" aria-label="Contract">{contract}</pre>}
      <CodeView name={file.name} source={source} />
    </Card>
  );
}
