import { href, useRoute } from "../../app/router";
import { PageHead } from "../../ui/layout";
import "../../ui/code/code.css";
import "../learn/learn.css";
import "../learn/workbench.css";
import "./notebook.css";
import { NotebookView } from "./NotebookView";
import { NOTEBOOKS } from "./notebooks";

export default function Notebook() {
  const { part } = useRoute();
  const source = NOTEBOOKS.find(({ id }) => id === part);
  return source === undefined ? <Gallery /> : <NotebookView key={source.id} source={source} />;
}

function Gallery() {
  return (
    <div className="page">
      <PageHead title="Notebook" lead="JavaScript with NumPy's arrays, in cells that you edit and run. Everything is computed in this browser, on the CPU or the GPU." />
      <ul className="lesson-list">
        {NOTEBOOKS.map(({ id, title, summary }) => (
          <li key={id}><a className="tile lesson-tile nb-tile" href={href(`notebook/${id}`)}><b>{title}</b><span>{summary}</span></a></li>
        ))}
      </ul>
    </div>
  );
}
