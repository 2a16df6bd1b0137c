import { useEffect, useState, type ComponentType } from "react";
import type { PageEntry } from "../pages/registry";

const loaded = new Map<string, ComponentType>();

async function load(page: PageEntry): Promise<ComponentType> {
  const component = (await page.load()).default;
  loaded.set(page.id, component);
  return component;
}

/** Starts loading a page before anything is rendered. A failure shows again, and is shown, when the page is rendered. */
export function preload(page: PageEntry | undefined): void {
  if (page !== undefined) load(page).catch(() => {});
}

type State = { component: ComponentType | null; error: unknown };

/** A page, once its code is here. Not React's Suspense, which holds back what is ready for a third of a second. */
export function PageView({ page }: { page: PageEntry }) {
  const [state, setState] = useState<State>({ component: loaded.get(page.id) ?? null, error: null });
  useEffect(() => {
    let current = true;
    load(page).then(
      (component) => current && setState({ component, error: null }),
      (error: unknown) => current && setState({ component: null, error }),
    );
    return () => {
      current = false;
    };
  }, [page]);
  if (state.error !== null) throw state.error;
  if (state.component !== null) return <state.component />;
  return (
    <div className="page-loading" role="status">
      <span className="spinner" /> Loading the page…
    </div>
  );
}
