import { Component, type ReactNode } from "react";
import { diagnosticReport, noteError } from "../engine/diagnostics";
import { Button, CopyButton } from "../ui/Button";
import { Callout } from "../ui/layout";

/** A page that breaks, or whose files do not arrive, takes nothing else down. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    noteError(error);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className="page">
        <h1 className="visually-hidden">This page stopped</h1>
        <Callout
          tone="bad"
          title="This page stopped working"
          actions={
            <>
              <Button look="primary" icon="refresh" onClick={() => location.reload()}>Reload</Button>
              <CopyButton label="Copy report" text={diagnosticReport} />
            </>
          }
        >
          <p>{error instanceof Error ? error.message : String(error)}</p>
          <p>Reloading usually helps; the other pages still work. The report stays on this device unless you paste it somewhere.</p>
        </Callout>
      </div>
    );
  }
}
