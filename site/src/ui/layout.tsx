// Building blocks of pages.
import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

/** The head of a page; `children` are its actions. */
export function PageHead({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  return (
    <header className="page-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead !== undefined && <p className="lead">{lead}</p>}
      </div>
      {children !== undefined && <div className="page-actions">{children}</div>}
    </header>
  );
}

interface CardProps {
  title?: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Card({ title, note, actions, className = "", children }: CardProps) {
  return (
    <section className={`card ${className}`}>
      {(title !== undefined || actions !== undefined) && (
        <div className="card-head">
          <div>
            {title !== undefined && <h2>{title}</h2>}
            {note !== undefined && <p className="card-note">{note}</p>}
          </div>
          {actions !== undefined && <div className="card-actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`badge badge-${tone}`}>
      {icon !== undefined && <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}

const CALLOUT_ICONS: Record<Tone, IconName> = { neutral: "info", accent: "info", good: "check", warn: "warning", bad: "warning" };

/** A message with weight; errors are announced. */
export function Callout({ tone, title, children, actions }: { tone: Tone; title: ReactNode; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={`callout callout-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={CALLOUT_ICONS[tone]} />
      <div className="callout-body">
        <p className="callout-title">{title}</p>
        {children}
        {actions !== undefined && <div className="callout-actions">{actions}</div>}
      </div>
    </div>
  );
}

/** What a place shows before there is anything. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** A bar; without `value` (0 to 1) it only says that something is under way. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  const share = value === null ? null : Math.min(Math.max(value, 0), 1);
  return (
    <div
      className={share === null ? "progress progress-unknown" : "progress"}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(share !== null && { "aria-valuenow": Math.round(share * 100) })}
    >
      <div style={share === null ? undefined : { transform: `scaleX(${share})` }} />
    </div>
  );
}

/** A table that scrolls in its own frame, never the page; the frame takes focus so that keys can scroll it. */
export function TableFrame({ label, className = "", children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <div className={`table-frame ${className}`} role="region" aria-label={label} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

/** Pairs of a name and a value. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A part of a side panel. */
export function PanelSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel-section">
      <h3>{title}</h3>
      {children}
    </section>
  );
}
