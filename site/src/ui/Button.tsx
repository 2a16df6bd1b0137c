import { useEffect, useRef, useState, type ButtonHTMLAttributes } from "react";
import { copyText } from "../lib/files";
import { Icon, type IconName } from "./Icon";

type Look = "primary" | "plain" | "quiet" | "danger";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  icon?: IconName;
  /** Its work is under way: a click does nothing. Not `disabled`, which would take the focus away. */
  busy?: boolean;
}

export function Button({ look = "plain", icon, busy = false, className = "", children, onClick, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button button-${look} ${className}`} aria-disabled={busy || undefined} onClick={busy ? undefined : onClick} {...rest}>
      {icon !== undefined && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

/** A button whose only face is an icon; `label` is its name and its tooltip. */
export function IconButton({ icon, label, ...rest }: { icon: IconName; label: string } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}

const SHOW_DONE_MS = 1600;

/** Copies `text()` and says so. */
export function CopyButton({ text, label = "Copy", look = "plain" }: { text: () => string; label?: string; look?: Look }) {
  const [outcome, setOutcome] = useState<"idle" | "done" | "refused">("idle");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    setOutcome((await copyText(text())) ? "done" : "refused");
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOutcome("idle"), SHOW_DONE_MS);
  };
  const words = { idle: label, done: "Copied", refused: "Not allowed" }[outcome];
  return (
    <Button look={look} icon={outcome === "done" ? "check" : "copy"} onClick={() => void copy()}>
      <span aria-live="polite">{words}</span>
    </Button>
  );
}
