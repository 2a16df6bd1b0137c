// Which device the visitor asked for: by the address (?device=gpu), else as remembered, else "auto".
import { currentRoute, setQuery } from "../app/router";
import { load, save } from "../lib/storage";

export type Choice = "auto" | "gpu" | "cpu";

const KEY = "device";

export function parseChoice(text: string | null): Choice | null {
  return text === "auto" || text === "gpu" || text === "cpu" ? text : null;
}

export function currentChoice(): Choice {
  return parseChoice(currentRoute().query.get("device")) ?? parseChoice(load(KEY)) ?? "auto";
}

export function rememberChoice(choice: Choice): void {
  save(KEY, choice);
  // The address would otherwise contradict the choice just made.
  if (currentRoute().query.has("device")) setQuery({ device: choice });
}
