import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { EngineLoading } from "../../app/EngineLoading";
import { placeName } from "../../engine/names";
import { useComputed, useEngine } from "../../engine/useEngine";
import { formatCount, formatMs } from "../../lib/format";
import { Callout } from "../../ui/layout";
import { computeField, HEIGHT, paint, WIDTH, type Source } from "./field";

export const FIRST_RESULT = "tilework:first-result";

const START: readonly Source[] = [{ x: 0.3, y: 0.42 }, { x: 0.68, y: 0.62 }];
const KEY_STEP = 0.03;

interface Result {
  field: Float32Array;
  elapsedMs: number;
}

/** The mark is set once: when this visit's first numbers came back from the engine. */
function markFirstResult(): void {
  if (performance.getEntriesByName(FIRST_RESULT).length === 0) performance.mark(FIRST_RESULT);
}

export function WaveDemo() {
  const engine = useEngine();
  const [sources, setSources] = useState(START);
  const [wavelength, setWavelength] = useState(16);
  const computed = useComputed<Result>(JSON.stringify([sources, wavelength]), async (tw) => {
    const startMs = performance.now();
    const field = await computeField(tw, { sources, wavelength });
    markFirstResult();
    return { field, elapsedMs: performance.now() - startMs };
  });
  const move = (index: number, source: Source) => setSources((all) => all.map((old, i) => (i === index ? source : old)));
  return (
    <div className="demo">
      <div className="demo-stage">
        <FieldCanvas field={computed.value?.field ?? null} />
        {computed.value !== null && sources.map((source, i) => <Handle key={i} index={i} source={source} onMove={(next) => move(i, next)} />)}
        {computed.value === null && engine.status === "failed" && <p className="demo-absent">Nothing to show without the engine.</p>}
        {computed.value === null && engine.status === "loading" && <div className="demo-loading"><EngineLoading /></div>}
      </div>
      <div className="demo-controls">
        <label htmlFor="wavelength">Wavelength</label>
        <input id="wavelength" type="range" min={6} max={40} step={0.5} value={wavelength} disabled={computed.value === null} aria-valuetext={`${wavelength} points`} onChange={(event) => setWavelength(Number(event.target.value))} />
        <output className="numeric" htmlFor="wavelength">{wavelength.toFixed(1)} points</output>
      </div>
      <p className="demo-hint">Drag the two sources, or move them with the arrow keys.</p>
      {computed.status === "failed" && <Callout tone="bad" title="The demo stopped">{computed.problem.message}</Callout>}
      <Figures result={computed.value} />
    </div>
  );
}

function Figures({ result }: { result: Result | null }) {
  const engine = useEngine();
  const first = performance.getEntriesByName(FIRST_RESULT)[0];
  const where = engine.status === "ready" ? placeName(engine.tw.info) : "–";
  return (
    <dl className="demo-figures">
      <div><dt>Page open to first result</dt><dd className="numeric" data-testid="first-result">{first === undefined ? "–" : formatMs(first.startTime)}</dd></div>
      <div><dt>{formatCount(WIDTH * HEIGHT)} points, there and back</dt><dd className="numeric">{result === null ? "–" : formatMs(result.elapsedMs)}</dd></div>
      <div><dt>Computed on</dt><dd data-testid="computed-on">{where}</dd></div>
    </dl>
  );
}

function FieldCanvas({ field }: { field: Float32Array | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (field === null || context === null || context === undefined) return;
    const image = context.createImageData(WIDTH, HEIGHT);
    paint(field, image);
    context.putImageData(image, 0, 0);
  }, [field]);
  return <canvas ref={canvas} width={WIDTH} height={HEIGHT} role="img" aria-label="Two waves on water that interfere" />;
}

const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function clamp(value: number): number {
  return Math.min(Math.max(value, 0.02), 0.98);
}

/** A source to drag, or to move by the arrow keys. */
function Handle({ index, source, onMove }: { index: number; source: Source; onMove: (source: Source) => void }) {
  const byKey = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    if (arrow === undefined) return;
    event.preventDefault();
    onMove({ x: clamp(source.x + arrow[0] * KEY_STEP), y: clamp(source.y + arrow[1] * KEY_STEP) });
  };
  const byPointer = (event: PointerEvent<HTMLButtonElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box !== undefined) onMove({ x: clamp((event.clientX - box.left) / box.width), y: clamp((event.clientY - box.top) / box.height) });
  };
  return (
    <button
      type="button"
      className="handle"
      aria-label={`Source ${index + 1}; move with the arrow keys`}
      style={{ left: `${source.x * 100}%`, top: `${source.y * 100}%` }}
      onKeyDown={byKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={byPointer}
    />
  );
}
