// Light or dark: the system's choice unless the visitor made one.
import { useSyncExternalStore } from "react";
import { load, save } from "../lib/storage";

export type Theme = "light" | "dark";

const KEY = "theme";
const listeners = new Set<() => void>();
const systemDark = matchMedia("(prefers-color-scheme: dark)");

function currentTheme(): Theme {
  const chosen = load(KEY);
  if (chosen === "light" || chosen === "dark") return chosen;
  return systemDark.matches ? "dark" : "light";
}

export function setTheme(theme: Theme): void {
  save(KEY, theme);
  document.documentElement.dataset["theme"] = theme;
  for (const listener of listeners) listener();
}

export function toggleTheme(): void {
  setTheme(currentTheme() === "dark" ? "light" : "dark");
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  systemDark.addEventListener("change", changed);
  return () => {
    listeners.delete(changed);
    systemDark.removeEventListener("change", changed);
  };
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}
