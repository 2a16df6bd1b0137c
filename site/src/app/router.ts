// Routing by the address' hash, so that any static host serves every deep link: #/benchmark?op=matmul.
import { useSyncExternalStore } from "react";

export interface Route {
  /** Without slashes; "" is the home page. */
  readonly page: string;
  /** What follows the page: "3" of #/learn/3; "" if nothing does. */
  readonly part: string;
  readonly query: URLSearchParams;
}

export function parseHash(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const [page = "", ...parts] = path.replace(/^\/+|\/+$/g, "").split("/");
  return { page, part: parts.join("/"), query: new URLSearchParams(query) };
}

/** The address of a page, or of a part of it ("learn/3"); empty values are left out. */
export function href(page: string, query: Record<string, string> = {}): string {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `#/${page}${words === "" ? "" : `?${words}`}`;
}

export function currentRoute(): Route {
  return parseHash(location.hash);
}

export function navigate(page: string, query?: Record<string, string>): void {
  location.hash = href(page, query);
}

/** Changes words of the query without a step in the browser's history; "" removes a word. */
export function setQuery(words: Record<string, string>): void {
  const { page, part, query } = currentRoute();
  const next = href(part === "" ? page : `${page}/${part}`, { ...Object.fromEntries(query), ...words });
  if (next === location.hash) return;
  history.replaceState(null, "", next);
  // replaceState tells nobody.
  dispatchEvent(new HashChangeEvent("hashchange"));
}

function subscribe(changed: () => void): () => void {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

export function useRoute(): Route {
  return parseHash(useSyncExternalStore(subscribe, () => location.hash));
}
