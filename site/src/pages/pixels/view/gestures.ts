// Fingers, mouse, wheel and keys, as what they mean to a view.

import type { Spot } from "./camera";

/** What a single pointer does. */
export type Tool = "move" | "brush" | "box";

export interface GestureTarget {
  tool(): Tool;
  /** By a way on the screen. */
  pan(dx: number, dy: number): void;
  /** At a place on the screen. `isSmooth`: in one go that is to be animated, not a part of a movement. */
  zoom(at: Spot, factor: number, isSmooth: boolean): void;
  hover(at: Spot | null): void;
  strokeStart(at: Spot): void;
  strokeMove(at: Spot): void;
  /** `isDropped`: it turned out to be something else, such as the first finger of two. */
  strokeEnd(isDropped: boolean): void;
}

const WHEEL_ZOOM = 0.0022;
/** Lines of a wheel that counts lines, as pixels. */
const LINE_PX = 16;
/** A finger that stays within this way before a second one comes has painted nothing. */
const SECOND_FINGER_MS = 120;

/** Listens to `element`; gives what ends it. */
export function listen(element: HTMLElement, target: GestureTarget): () => void {
  const pointers = new Map<number, Spot>();
  let painting: { readonly id: number; readonly startMs: number } | null = null;

  const spotOf = (event: { clientX: number; clientY: number }): Spot => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const down = (event: PointerEvent) => {
    if (event.button === 2) return;
    element.setPointerCapture?.(event.pointerId);
    pointers.set(event.pointerId, spotOf(event));
    if (painting !== null) {
      target.strokeEnd(event.timeStamp - painting.startMs < SECOND_FINGER_MS);
      painting = null;
    } else if (pointers.size === 1 && event.button === 0 && target.tool() !== "move") {
      painting = { id: event.pointerId, startMs: event.timeStamp };
      target.strokeStart(spotOf(event));
    }
  };
  const move = (event: PointerEvent) => {
    const at = spotOf(event);
    const before = pointers.get(event.pointerId);
    target.hover(event.pointerType === "touch" && pointers.size !== 1 ? null : at);
    if (before === undefined) return;
    if (painting !== null) {
      for (const point of event.getCoalescedEvents?.() ?? []) target.strokeMove(spotOf(point));
      target.strokeMove(at);
    } else if (pointers.size === 1) {
      target.pan(at.x - before.x, at.y - before.y);
    } else if (pointers.size === 2) {
      const [[, other] = []] = [...pointers].filter(([id]) => id !== event.pointerId);
      if (other !== undefined) pinch(target, other, before, at);
    }
    pointers.set(event.pointerId, at);
  };
  const up = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
    if (painting?.id !== event.pointerId) return;
    painting = null;
    target.strokeEnd(event.type === "pointercancel");
  };
  const leave = () => target.hover(null);
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? LINE_PX : 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    if (event.shiftKey) return target.pan(-dx || -dy, dx === 0 ? 0 : -dy);
    if (dx !== 0) target.pan(-dx, 0);
    // Trackpads send many small steps, a wheel sends few large ones.
    if (dy !== 0) target.zoom(spotOf(event), Math.exp(-dy * WHEEL_ZOOM * (event.ctrlKey ? 4 : 1)), Math.abs(dy) > 30);
  };

  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, pointerleave: leave } as const;
  for (const [type, act] of Object.entries(listeners)) element.addEventListener(type, act as EventListener);
  element.addEventListener("wheel", wheel, { passive: false });
  return () => {
    for (const [type, act] of Object.entries(listeners)) element.removeEventListener(type, act as EventListener);
    element.removeEventListener("wheel", wheel);
  };
}

/** One of two fingers moved: the page stays under both. */
function pinch(target: GestureTarget, other: Spot, before: Spot, now: Spot): void {
  const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)];
  target.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  if (was > 8 && is > 8) target.zoom({ x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }, is / was, false);
}
