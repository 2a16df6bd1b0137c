import { useEffect, useRef, useState } from "react";
import { PAGES, type PageEntry } from "../pages/registry";
import { DevicePanel } from "./DevicePanel";
import { EngineBanner } from "./EngineBanner";
import { PageBoundary } from "./PageBoundary";
import { PageView } from "./PageView";
import { useRoute } from "./router";
import { Shell } from "./Shell";
import { ShortcutsDialog, useShortcuts } from "./shortcuts";

/** Which dialog is open; at most one. */
export type Overlay = "device" | "shortcuts" | "menu" | null;

export function App() {
  const { page: id, part, query } = useRoute();
  const [overlay, setOverlay] = useState<Overlay>(null);
  const page = PAGES.find((entry) => entry.id === id && (part === "" || entry.partTitle?.(part) !== undefined));
  useShortcuts(setOverlay);
  useArrival(page, page?.partTitle?.(part) ?? query.get("doc") ?? "");
  return (
    <Shell current={page} overlay={overlay} setOverlay={setOverlay}>
      <EngineBanner openPanel={() => setOverlay("device")} />
      <PageBoundary key={id}>
        {page === undefined ? <NotFound /> : <PageView page={page} />}
      </PageBoundary>
      <DevicePanel open={overlay === "device"} onClose={() => setOverlay(null)} />
      <ShortcutsDialog open={overlay === "shortcuts"} onClose={() => setOverlay(null)} />
    </Shell>
  );
}

/** The title of the tab, the scroll position and the focus follow the page, as after a real navigation. */
function useArrival(page: PageEntry | undefined, part: string): void {
  const first = useRef(true);
  useEffect(() => {
    const title = page === undefined ? "Not found" : page.title;
    document.title = [part, page?.id === "" ? "" : title, "Tilework Studio"].filter((word) => word !== "").join(" · ");
    if (first.current) {
      first.current = false;
      return;
    }
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }, [page, part]);
}

function NotFound() {
  return (
    <div className="page not-found">
      <h1>There is no such page</h1>
      <p className="lead">The address may be from an older version.</p>
      <p><a href="#/">Go to the home page</a></p>
    </div>
  );
}
