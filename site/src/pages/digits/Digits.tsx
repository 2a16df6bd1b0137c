import { useCallback, useState } from "react";
import { setQuery, useRoute } from "../../app/router";
import { Choice } from "../../ui/Choice";
import { PageHead } from "../../ui/layout";
import { Draw } from "./Draw";
import { Train } from "./Train";
import "./digits.css";

type View = "draw" | "train";

const VIEWS = [{ value: "draw", label: "Draw" }, { value: "train", label: "Train it here" }] as const;

export default function Digits() {
  const { query } = useRoute();
  const view: View = query.get("view") === "train" ? "train" : "draw";
  const [own, setOwn] = useState<Uint8Array | null>(null);
  const show = useCallback((view: View) => setQuery({ view: view === "draw" ? "" : view }), []);
  return (
    <div className="page">
      <PageHead title="Digits" lead="A network that reads handwriting, trained and run by the engine, in this tab.">
        <Choice label="View" options={VIEWS} value={view} onChange={show} />
      </PageHead>
      {view === "draw" ? <Draw own={own} /> : <Train onWeights={setOwn} onDraw={() => show("draw")} />}
    </div>
  );
}
