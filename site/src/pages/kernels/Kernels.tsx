import { setQuery, useRoute } from "../../app/router";
import { Choice } from "../../ui/Choice";
import { PageHead } from "../../ui/layout";
import { ExpressionView } from "./ExpressionView";
import { SourcesView } from "./SourcesView";
import "./kernels.css";

const VIEWS = [
  { value: "expression", label: "Expression" },
  { value: "sources", label: "Sources" },
] as const;

export default function Kernels() {
  const { query } = useRoute();
  const view = query.get("view") === "sources" || query.has("file") ? "sources" : "expression";
  return (
    <div className="page">
      <PageHead title="Kernels" lead="What runs on the GPU, as text: kernels generated from an expression, and those written by hand.">
        <Choice label="View" options={VIEWS} value={view} onChange={(next) => setQuery({ view: next, file: "" })} />
      </PageHead>
      {view === "sources" ? <SourcesView /> : <ExpressionView />}
    </div>
  );
}
