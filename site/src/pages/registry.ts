// The pages of the studio, in the order of the navigation. One line adds a page; its code is loaded when it is opened.
import type { ComponentType } from "react";
import type { IconName } from "../ui/Icon";

export interface PageEntry {
  /** Its address: "#/id"; "" is the home page. */
  readonly id: string;
  readonly title: string;
  /** One word for narrow places. */
  readonly short: string;
  readonly icon: IconName;
  /** The key after "g" that opens it. */
  readonly key: string;
  /** The title of a part of it, as "3" of #/learn/3; undefined if there is no such part. A page without this has no parts. */
  readonly partTitle?: (part: string) => string | undefined;
  readonly load: () => Promise<{ default: ComponentType }>;
}

export const PAGES: readonly PageEntry[] = [
  { id: "", title: "Home", short: "Home", icon: "home", key: "h", load: () => import("./home/Home") },
  { id: "learn", title: "Learn", short: "Learn", icon: "book", key: "l", partTitle: (part) => (/^[1-8]$/.test(part) ? `Lesson ${part}` : undefined), load: () => import("./learn/Learn") },
  { id: "notebook", title: "Notebook", short: "Notebook", icon: "list", key: "n", partTitle: (part) => (/^[a-z-]+$/.test(part) ? part : undefined), load: () => import("./notebook/Notebook") },
  { id: "chat", title: "Chat", short: "Chat", icon: "chat", key: "t", load: () => import("./chat/Chat") },
  { id: "digits", title: "Digits", short: "Digits", icon: "pen", key: "d", load: () => import("./digits/Digits") },
  { id: "search", title: "Search", short: "Search", icon: "search", key: "s", load: () => import("./search/Search") },
  { id: "pixels", title: "Pixels", short: "Pixels", icon: "grid", key: "p", load: () => import("./pixels/Pixels") },
  { id: "optimize", title: "Optimize", short: "Optimize", icon: "mesh", key: "o", load: () => import("./optimize/Optimize") },
  { id: "benchmark", title: "Benchmark", short: "Benchmark", icon: "gauge", key: "b", load: () => import("./benchmark/Benchmark") },
  { id: "conformance", title: "Conformance", short: "Conformance", icon: "shield", key: "c", load: () => import("./conformance/Conformance") },
  { id: "kernels", title: "Kernels", short: "Kernels", icon: "code", key: "k", load: () => import("./kernels/Kernels") },
  { id: "about", title: "About", short: "About", icon: "info", key: "a", load: () => import("./about/About") },
];
