import { useRef, type KeyboardEvent } from "react";
import type { Problem } from "../sandbox/messages";

interface TabsProps {
  names: readonly string[];
  value: string;
  onChange: (name: string) => void;
  problems: readonly Problem[];
  /** The id of what the tabs switch. */
  panel: string;
}

/** The files of a lesson. Arrow keys move between them, as between tabs everywhere; Tab goes on. */
export function Tabs({ names, value, onChange, problems, panel }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (names.indexOf(value) + step + names.length) % names.length;
    onChange(names[next] ?? value);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label="Files" ref={list} onKeyDown={move}>
      {names.map((name) => {
        const isWrong = problems.some((problem) => problem.file === name && problem.severity === "error");
        return (
          <button key={name} type="button" role="tab" aria-selected={name === value} aria-controls={panel} tabIndex={name === value ? 0 : -1} data-wrong={isWrong} onClick={() => onChange(name)}>
            {name}{isWrong && <span className="visually-hidden">, has an error</span>}
          </button>
        );
      })}
    </div>
  );
}
