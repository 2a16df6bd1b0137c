import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { preload } from "./app/PageView";
import { currentRoute } from "./app/router";
import { watchErrors } from "./engine/diagnostics";
import { start } from "./engine/store";
import { PAGES } from "./pages/registry";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/components.css";
import "./styles/dialogs.css";

watchErrors();
// Before the first render: the download is the longest part of the wait.
void start();
preload(PAGES.find((page) => page.id === currentRoute().page));

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element named root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
