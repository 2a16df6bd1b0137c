import { useEffect, useId, useMemo, useRef, useState } from "react";
import { formatCount, formatMs, sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Callout, Card, Empty, PageHead, Progress } from "../../ui/layout";
import { ModelCard } from "./ModelCard";
import { passagesOf, search, type Hit } from "./passages";
import { SAMPLE, SAMPLE_QUERY } from "./sample";
import { useEmbedder } from "./useEmbedder";
import "./search.css";

const N_HITS = 8;
/** After the last key; a query is embedded in a few milliseconds, a text is not. */
const QUIET_MS = 250;

export default function Search() {
  const { state, open, learn, vectorOf } = useEmbedder();
  const [text, setText] = useState(SAMPLE);
  const [query, setQuery] = useState(SAMPLE_QUERY);
  const [known, setKnown] = useState(0);
  const [hits, setHits] = useState<readonly Hit[] | null>(null);
  const [elapsedMs, setElapsedMs] = useState(0);
  const passages = useMemo(() => passagesOf(text), [text]);
  const ids = { text: useId(), query: useId() };
  const isReady = state.status === "ready";
  const latest = useRef<AbortController | null>(null);

  useEffect(() => {
    if (!isReady) return setHits(null);
    const control = (latest.current = new AbortController());
    const timer = setTimeout(async () => {
      const asked = query.trim();
      setKnown(passages.filter((passage) => vectorOf(passage) !== null).length);
      if (!(await learn(passages, control.signal, setKnown))) return;
      if (asked === "") return setHits(null);
      const startMs = performance.now();
      if (!(await learn([asked], control.signal, () => {}))) return;
      const vector = vectorOf(asked);
      if (vector === null) return;
      setHits(search(vector, passages.map((passage) => ({ text: passage, vector: vectorOf(passage) })), N_HITS));
      setElapsedMs(performance.now() - startMs);
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [isReady, passages, query, learn, vectorOf]);

  return (
    <div className="page">
      <PageHead title="Search by meaning" lead="A real transformer turns every line of a text into a vector; a question finds the lines that mean the same, in other words. Nothing leaves this tab." />
      <ModelCard state={state} onOpen={(files, device) => void open(files, device)} />
      {state.status === "failed" && <Callout tone="bad" title="The model could not be used"><p>{sentence(state.message)}</p></Callout>}
      <div className="search">
        <Card title="Text" note="One passage per line" actions={<Button icon="trash" onClick={() => setText("")}>Clear</Button>}>
          <label className="visually-hidden" htmlFor={ids.text}>Text to search in</label>
          <textarea id={ids.text} className="input search-text" value={text} placeholder="Paste a text" onChange={(event) => setText(event.target.value)} />
          <p className="small numeric" role="status">{formatCount(passages.length)} passages{isReady && `, ${formatCount(Math.min(known, passages.length))} understood`}</p>
          {isReady && known < passages.length && <Progress value={known / passages.length} label="Passages understood" />}
        </Card>
        <Card title="Question">
          <label className="visually-hidden" htmlFor={ids.query}>Question</label>
          <input id={ids.query} className="input" type="search" data-shortcut="/" value={query} onChange={(event) => setQuery(event.target.value)} />
          <Hits hits={hits} isReady={isReady} elapsedMs={elapsedMs} />
        </Card>
      </div>
    </div>
  );
}

function Hits({ hits, isReady, elapsedMs }: { hits: readonly Hit[] | null; isReady: boolean; elapsedMs: number }) {
  if (hits === null) return <Empty icon="search" title={isReady ? "Ask something" : "No model yet"}><p>{isReady ? "Words need not be the same." : "Open the model above; then ask."}</p></Empty>;
  return (
    <>
      <ol className="hits" aria-label="What was found">
        {hits.map(({ text, similarity }) => (
          <li key={text}>
            <span className="hit-text">{text}</span>
            <span className="bar" aria-hidden="true"><i style={{ transform: `scaleX(${Math.min(Math.max(similarity, 0), 1)})` }} /></span>
            <span className="numeric small">{similarity.toFixed(3)}</span>
          </li>
        ))}
      </ol>
      <p className="small numeric">The question took {formatMs(elapsedMs)}.</p>
    </>
  );
}
