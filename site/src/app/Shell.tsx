import type { ReactNode } from "react";
import { PAGES, type PageEntry } from "../pages/registry";
import { IconButton } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Icon, Mark } from "../ui/Icon";
import type { Overlay } from "./App";
import { DeviceChip } from "./DeviceChip";
import { href } from "./router";
import { toggleTheme, useTheme } from "./theme";

// What the bar of a narrow screen has room for beside "More".
const MAX_BAR_PAGES = 4;

interface ShellProps {
  current: PageEntry | undefined;
  overlay: Overlay;
  setOverlay: (overlay: Overlay) => void;
  children: ReactNode;
}

export function Shell({ current, overlay, setOverlay, children }: ShellProps) {
  return (
    <div className="shell">
      <a className="skip-link" href="#main" onClick={skipToMain}>Skip to the content</a>
      <aside className="sidebar">
        <Brand />
        <nav aria-label="Pages"><PageLinks current={current} /></nav>
        <p className="sidebar-note"><Icon name="lock" size={14} /> Everything runs on this device. Nothing is sent anywhere.</p>
      </aside>
      <div className="column">
        <header className="topbar">
          <div className="topbar-brand"><Brand /></div>
          <span className="topbar-title">{current?.title ?? "Not found"}</span>
          <DeviceChip onClick={() => setOverlay("device")} />
          <ThemeButton />
          <span className="wide-only">
            <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={() => setOverlay("shortcuts")} />
          </span>
        </header>
        <main id="main" tabIndex={-1}>{children}</main>
      </div>
      <BottomBar current={current} openMenu={() => setOverlay("menu")} />
      <Dialog title="Pages" place="bottom" open={overlay === "menu"} onClose={() => setOverlay(null)}>
        <nav aria-label="All pages" className="menu" onClick={() => setOverlay(null)}><PageLinks current={current} /></nav>
        <p className="sidebar-note"><Icon name="lock" size={14} /> Everything runs on this device. Nothing is sent anywhere.</p>
      </Dialog>
    </div>
  );
}

/** A plain jump would change the hash, which is the route. */
function skipToMain(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Brand() {
  return (
    <a className="brand" href="#/" aria-label="Tilework Studio, home page">
      <Mark />
      <span>Tilework <em>Studio</em></span>
    </a>
  );
}

function PageLinks({ current }: { current: PageEntry | undefined }) {
  return (
    <ul className="page-links">
      {PAGES.map((page) => (
        <li key={page.id}>
          <a href={href(page.id)} aria-current={page === current ? "page" : undefined}>
            <Icon name={page.icon} />
            <span>{page.title}</span>
            <kbd aria-hidden="true">g {page.key}</kbd>
          </a>
        </li>
      ))}
    </ul>
  );
}

function BottomBar({ current, openMenu }: { current: PageEntry | undefined; openMenu: () => void }) {
  return (
    <nav className="bottom-bar" aria-label="Pages">
      {PAGES.slice(0, MAX_BAR_PAGES).map((page) => (
        <a key={page.id} href={href(page.id)} aria-current={page === current ? "page" : undefined}>
          <Icon name={page.icon} size={20} />
          <span>{page.short}</span>
        </a>
      ))}
      <button type="button" onClick={openMenu} aria-haspopup="dialog">
        <Icon name="more" size={20} />
        <span>More</span>
      </button>
    </nav>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const label = theme === "dark" ? "Use the light theme" : "Use the dark theme";
  return <IconButton icon={theme === "dark" ? "sun" : "moon"} label={label} onClick={toggleTheme} />;
}
