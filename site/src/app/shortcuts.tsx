import { useEffect, useState, type ReactNode } from "react";
import { PAGES } from "../pages/registry";
import { Dialog } from "../ui/Dialog";
import type { Overlay } from "./App";
import { navigate } from "./router";
import { load, save } from "../lib/storage";
import { toggleTheme } from "./theme";

// "g" waits this long for the key that names a page.
const CHORD_MS = 1200;

// Single keys get in the way of speech input and of some hands; who wants can switch them off.
const SWITCHED_OFF = "shortcuts-off";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input:not([type=radio],[type=checkbox],[type=range]), textarea, select") !== null;
}

export function useShortcuts(setOverlay: (overlay: Overlay) => void): void {
  useEffect(() => {
    let chordUntilMs = 0;
    const act = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (load(SWITCHED_OFF) === "1") return;
      if (document.querySelector("dialog[open]") !== null) return;
      const isChord = event.timeStamp < chordUntilMs;
      chordUntilMs = 0;
      if (isChord) {
        const page = PAGES.find((entry) => entry.key === event.key);
        if (page !== undefined) navigate(page.id);
      } else if (event.key === "g") {
        chordUntilMs = event.timeStamp + CHORD_MS;
      } else if (event.key === "?") {
        setOverlay("shortcuts");
      } else if (event.key === "d") {
        setOverlay("device");
      } else if (event.key === "t") {
        toggleTheme();
      } else if (event.key === "/") {
        const filter = document.querySelector<HTMLInputElement>("[data-shortcut='/']");
        if (filter === null) return;
        filter.focus();
        filter.select();
      } else {
        return;
      }
      event.preventDefault();
    };
    addEventListener("keydown", act);
    return () => removeEventListener("keydown", act);
  }, [setOverlay]);
}

export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [on, setOn] = useState(load(SWITCHED_OFF) !== "1");
  const change = (next: boolean) => {
    save(SWITCHED_OFF, next ? "0" : "1");
    setOn(next);
  };
  return (
    <Dialog title="Keyboard shortcuts" open={open} onClose={onClose}>
      <dl className="shortcuts">
        {PAGES.map((page) => <Shortcut key={page.id} keys={["g", page.key]}>{page.title}</Shortcut>)}
        <Shortcut keys={["d"]}>Device panel</Shortcut>
        <Shortcut keys={["t"]}>Light or dark theme</Shortcut>
        <Shortcut keys={["/"]}>Filter, or the expression</Shortcut>
        <Shortcut keys={["?"]}>This list</Shortcut>
        <Shortcut keys={["Esc"]}>Close what is open</Shortcut>
      </dl>
      <label className="shortcuts-switch"><input type="checkbox" checked={on} onChange={(event) => change(event.target.checked)} /> Use these keys (Esc always works)</label>
    </Dialog>
  );
}

function Shortcut({ keys, children }: { keys: string[]; children: ReactNode }) {
  return (
    <div>
      <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
      <dd>{children}</dd>
    </div>
  );
}
