import { useCallback } from "react";
import { setQuery, useRoute } from "../../app/router";
import { Choice } from "../../ui/Choice";
import { PageHead } from "../../ui/layout";
import { MeshTab } from "./mesh/MeshTab";
import { SketchTab } from "./sketch/SketchTab";
import "./optimize.css";

type View = "mesh" | "sketch";

const VIEWS = [{ value: "mesh", label: "Mesh" }, { value: "sketch", label: "Sketch" }] as const;

export default function Optimize() {
  const { query } = useRoute();
  const view: View = query.get("view") === "sketch" ? "sketch" : "mesh";
  const show = useCallback((view: View) => setQuery({ view: view === "mesh" ? "" : view }), []);
  return (
    <div className="page">
      <PageHead title="Optimize" lead="Nonlinear least squares, live: residual functions are recorded, differentiated and compiled to kernels, in this tab.">
        <Choice label="View" options={VIEWS} value={view} onChange={show} />
      </PageHead>
      {view === "mesh" ? <MeshTab /> : <SketchTab />}
    </div>
  );
}
