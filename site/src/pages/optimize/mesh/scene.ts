// The mesh in 3D. This file is loaded when the view is shown, and three.js with it.

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  LineBasicMaterial,
  LineSegments,
  Mesh as SolidMesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  Plane,
  Points,
  PointsMaterial,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import type { Mesh } from "./topology";

/** Colors of the design system, as the page has them now. */
export interface SceneColors {
  readonly surface: string;
  readonly moved: string;
  readonly wire: string;
  readonly mark: string;
}

export interface SceneEvents {
  /** A vertex is pulled to a place; `null` when it is let go. */
  readonly onPull: (vertex: number, place: readonly [number, number, number] | null) => void;
  /** A picture was drawn. */
  readonly onFrame: () => void;
}

const START = { turn: 0.6, tilt: 0.25, distance: 4.2 };
const MAX_TILT = 1.5;
/** Wires of finer meshes would only be a gray veil. */
const MAX_WIRES = 8000;
/** A displacement of this size has the full color. */
const FULL_COLOR = 0.6;

/** A mesh that can be turned, and whose vertices can be pulled. */
export class MeshScene {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(40, 1, 0.05, 50);
  readonly #canvas: HTMLCanvasElement;
  readonly #events: SceneEvents;
  readonly #solid = new SolidMesh(new BufferGeometry(), new MeshStandardMaterial({ vertexColors: true, roughness: 0.65, metalness: 0.05, side: 2, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
  readonly #wires = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.35 }));
  readonly #pins = new Points(new BufferGeometry(), new PointsMaterial({ size: 5, sizeAttenuation: false }));
  readonly #handle = new SolidMesh(new SphereGeometry(0.035, 16, 12), new MeshBasicMaterial());
  readonly #light = new DirectionalLight(0xffffff, 2.2);
  readonly #stop = new AbortController();
  readonly #observer: ResizeObserver;
  #view = { ...START };
  #rest: Float64Array = new Float64Array();
  #colors: SceneColors = { surface: "#888888", moved: "#ff8800", wire: "#000000", mark: "#0000ff" };
  #frame = 0;
  #grab: { vertex: number; plane: Plane } | null = null;
  #last: { x: number; y: number } | null = null;

  /** Throws if there is no WebGL here. */
  constructor(canvas: HTMLCanvasElement, events: SceneEvents) {
    this.#canvas = canvas;
    this.#events = events;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#handle.visible = false;
    this.#scene.add(this.#solid, this.#wires, this.#pins, this.#handle, new AmbientLight(0xffffff, 1.1), this.#light);
    this.#listen();
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
  }

  /** Shows another mesh. */
  setMesh({ positions, faces }: Mesh, pinned: readonly number[], edges: readonly (readonly [number, number])[]): void {
    const attribute = new BufferAttribute(Float32Array.from(positions), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", attribute);
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(positions.length), 3));
    geometry.setIndex(new BufferAttribute(faces, 1));
    this.#solid.geometry.dispose();
    this.#solid.geometry = geometry;
    for (const [object, index] of [[this.#wires, edges.length <= MAX_WIRES ? edges.flat() : []], [this.#pins, pinned]] as const) {
      object.geometry.dispose();
      object.geometry = new BufferGeometry();
      object.geometry.setAttribute("position", attribute);
      object.geometry.setIndex([...index]);
    }
    this.#rest = positions;
    this.#handle.visible = false;
    this.setPositions(positions);
  }

  /** Moves the vertices. */
  setPositions(values: ArrayLike<number>): void {
    const { geometry } = this.#solid;
    const position = geometry.getAttribute("position") as BufferAttribute;
    position.array.set(values);
    position.needsUpdate = true;
    geometry.computeVertexNormals();
    geometry.boundingSphere = null;
    this.#paint();
    this.#request();
  }

  setColors(colors: SceneColors): void {
    this.#colors = colors;
    (this.#wires.material as LineBasicMaterial).color.set(colors.wire);
    (this.#pins.material as PointsMaterial).color.set(colors.mark);
    (this.#handle.material as MeshBasicMaterial).color.set(colors.mark);
    if (this.#rest.length > 0) this.#paint();
    this.#request();
  }

  /** Where a pulled vertex should go; `null` for none. */
  setHandle(place: readonly [number, number, number] | null): void {
    this.#handle.visible = place !== null;
    if (place !== null) this.#handle.position.set(...place);
    this.#request();
  }

  dispose(): void {
    this.#stop.abort();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    for (const object of [this.#solid, this.#wires, this.#pins, this.#handle]) {
      object.geometry.dispose();
      (object.material as MeshBasicMaterial).dispose();
    }
    this.#renderer.dispose();
  }

  /** The farther a vertex has gone, the more of the second color it has. */
  #paint(): void {
    const { geometry } = this.#solid;
    const position = (geometry.getAttribute("position") as BufferAttribute).array;
    const attribute = geometry.getAttribute("color") as BufferAttribute;
    const [from, to, mixed] = [new Color(this.#colors.surface), new Color(this.#colors.moved), new Color()];
    for (let i = 0; i < position.length; i += 3) {
      const gone = Math.hypot(position[i]! - this.#rest[i]!, position[i + 1]! - this.#rest[i + 1]!, position[i + 2]! - this.#rest[i + 2]!);
      mixed.copy(from).lerp(to, Math.min(gone / FULL_COLOR, 1)).toArray(attribute.array as Float32Array, i);
    }
    attribute.needsUpdate = true;
  }

  #listen(): void {
    const { signal } = this.#stop;
    const canvas = this.#canvas;
    canvas.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.#move(event), { signal });
    for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, () => this.#up(), { signal });
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#canvas.setPointerCapture?.(event.pointerId);
    const vertex = this.#vertexAt(event);
    this.#last = { x: event.clientX, y: event.clientY };
    if (vertex === null) return;
    const place = this.#placeOf(vertex);
    const normal = this.#camera.getWorldDirection(new Vector3());
    this.#grab = { vertex, plane: new Plane().setFromNormalAndCoplanarPoint(normal, place) };
    this.#pull(event);
  }

  #move(event: PointerEvent): void {
    if (this.#last === null) {
      this.#canvas.style.cursor = event.pointerType === "mouse" && this.#vertexAt(event) !== null ? "grab" : "move";
      return;
    }
    if (this.#grab !== null) return this.#pull(event);
    this.#turn((event.clientX - this.#last.x) * 0.008, (event.clientY - this.#last.y) * 0.008);
    this.#last = { x: event.clientX, y: event.clientY };
  }

  #up(): void {
    if (this.#grab !== null) {
      this.setHandle(null);
      this.#events.onPull(this.#grab.vertex, null);
    }
    this.#grab = this.#last = null;
  }

  #pull(event: PointerEvent): void {
    const grab = this.#grab;
    const place = grab && this.#rayAt(event).ray.intersectPlane(grab.plane, new Vector3());
    if (grab === null || place === null) return;
    const at = [place.x, place.y, place.z] as const;
    this.setHandle(at);
    this.#events.onPull(grab.vertex, at);
  }

  #wheel(event: WheelEvent): void {
    // Without a key the page scrolls, as everywhere.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.#zoom(Math.exp(event.deltaY * 0.002));
  }

  #key(event: KeyboardEvent): void {
    const turns: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    const turn = turns[event.key];
    if (turn !== undefined) this.#turn(...turn);
    else if (event.key === "+" || event.key === "-") this.#zoom(event.key === "+" ? 0.9 : 1.1);
    else return;
    event.preventDefault();
  }

  #turn(by: number, tilt: number): void {
    this.#view.turn -= by;
    this.#view.tilt = Math.min(Math.max(this.#view.tilt + tilt, -MAX_TILT), MAX_TILT);
    this.#request();
  }

  #zoom(factor: number): void {
    this.#view.distance = Math.min(Math.max(this.#view.distance * factor, 1.5), 20);
    this.#request();
  }

  #rayAt(event: PointerEvent): Raycaster {
    const box = this.#canvas.getBoundingClientRect();
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), this.#camera);
    return caster;
  }

  /** The vertex under a pointer: the nearest corner of the face there. */
  #vertexAt(event: PointerEvent): number | null {
    const [hit] = this.#rayAt(event).intersectObject(this.#solid);
    if (hit?.face == null) return null;
    const corners = [hit.face.a, hit.face.b, hit.face.c];
    return corners.reduce((best, corner) => (this.#placeOf(corner).distanceTo(hit.point) < this.#placeOf(best).distanceTo(hit.point) ? corner : best));
  }

  #placeOf(vertex: number): Vector3 {
    return new Vector3().fromBufferAttribute(this.#solid.geometry.getAttribute("position") as BufferAttribute, vertex);
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.#camera.aspect = clientWidth / clientHeight;
    this.#camera.updateProjectionMatrix();
    this.#request();
  }

  #request(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const { turn, tilt, distance } = this.#view;
    // A narrow view stands farther away, so that the mesh fits.
    const far = distance * Math.max(1, 1 / this.#camera.aspect);
    this.#camera.position.set(far * Math.sin(turn) * Math.cos(tilt), far * Math.sin(tilt), far * Math.cos(turn) * Math.cos(tilt));
    this.#camera.lookAt(0, 0, 0);
    this.#light.position.copy(this.#camera.position).add(new Vector3(1, 2, 0.5));
    this.#renderer.render(this.#scene, this.#camera);
    this.#events.onFrame();
  }
}
