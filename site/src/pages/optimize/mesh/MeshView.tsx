import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";
import { Callout } from "../../../ui/layout";
import type { MeshScene, SceneColors } from "./scene";
import type { Mesh } from "./topology";

export interface MeshViewHandle {
  setPositions(positions: Float64Array): void;
  setHandle(place: readonly [number, number, number] | null): void;
}

interface MeshViewProps {
  ref: Ref<MeshViewHandle>;
  mesh: Mesh;
  edges: readonly (readonly [number, number])[];
  pinned: readonly number[];
  onPull: (vertex: number, place: readonly [number, number, number] | null) => void;
  onFrame: () => void;
}

/** The mesh in 3D. three.js is loaded when this is first shown. */
export function MeshView({ ref, mesh, edges, pinned, onPull, onFrame }: MeshViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useRef<MeshScene | null>(null);
  const events = useRef({ onPull, onFrame });
  events.current = { onPull, onFrame };
  const latest = useRef<Float64Array | null>(null);
  const [problem, setProblem] = useState("");
  const [isLoading, setLoading] = useState(true);
  const shown = useRef({ mesh, edges, pinned });
  shown.current = { mesh, edges, pinned };

  useImperativeHandle(ref, () => ({
    setPositions: (positions) => {
      latest.current = positions;
      if (positions.length === shown.current.mesh.positions.length) scene.current?.setPositions(positions);
    },
    setHandle: (place) => scene.current?.setHandle(place),
  }), []);

  useEffect(() => {
    let [closed, made]: [boolean, MeshScene | null] = [false, null];
    import("./scene").then(({ MeshScene }) => {
      if (closed || canvas.current === null) return;
      made = scene.current = new MeshScene(canvas.current, { onPull: (...pull) => events.current.onPull(...pull), onFrame: () => events.current.onFrame() });
      show(made, shown.current, latest.current);
      made.setColors(colorsOf(canvas.current));
      setLoading(false);
    }).catch((thrown: unknown) => {
      if (!closed) setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    });
    return () => {
      closed = true;
      made?.dispose();
      scene.current = null;
    };
  }, []);

  useEffect(() => {
    if (scene.current !== null) show(scene.current, { mesh, edges, pinned }, latest.current);
  }, [mesh, edges, pinned]);

  useEffect(() => {
    const repaint = () => {
      if (canvas.current !== null) scene.current?.setColors(colorsOf(canvas.current));
    };
    const watcher = new MutationObserver(repaint);
    watcher.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", repaint);
    return () => {
      watcher.disconnect();
      system.removeEventListener("change", repaint);
    };
  }, []);

  if (problem !== "") {
    return (
      <Callout tone="bad" title="The mesh cannot be shown">
        <p>Drawing in 3D needs WebGL, which did not start here: {problem}</p>
      </Callout>
    );
  }
  return (
    <div className="mesh-view">
      <canvas ref={canvas} tabIndex={0} role="img" aria-label={`${mesh.name} with ${mesh.positions.length / 3} vertices. Arrow keys turn it, plus and minus zoom.`} />
      {isLoading && <p className="mesh-loading" role="status"><span className="spinner" /> Loading the 3D view…</p>}
    </div>
  );
}

function show(scene: MeshScene, { mesh, edges, pinned }: Pick<MeshViewProps, "mesh" | "edges" | "pinned">, latest: Float64Array | null): void {
  scene.setMesh(mesh, pinned, edges);
  if (latest?.length === mesh.positions.length) scene.setPositions(latest);
}

function colorsOf(element: HTMLElement): SceneColors {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return { surface: color("--mesh"), moved: color("--series-cpu"), wire: color("--text"), mark: color("--accent") };
}
