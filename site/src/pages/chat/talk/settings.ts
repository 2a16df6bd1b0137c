// How answers are drawn; the same for all conversations, kept in this browser.
import { load, save } from "../../../lib/storage";

export interface Settings {
  readonly temperature: number;
  readonly top_p: number;
  /** 0: no limit. */
  readonly top_k: number;
  readonly max_tokens: number;
  /** Null draws another answer each time. */
  readonly seed: number | null;
}

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export const DEFAULTS: Settings = { temperature: 0.7, top_p: 0.95, top_k: 40, max_tokens: 1024, seed: null };

export const RANGES: Record<keyof Settings, Range> = {
  temperature: { min: 0, max: 2, step: 0.05 },
  top_p: { min: 0.05, max: 1, step: 0.05 },
  top_k: { min: 0, max: 200, step: 1 },
  max_tokens: { min: 1, max: 32_768, step: 1 },
  seed: { min: 0, max: 4_294_967_295, step: 1 },
};

const KEY = "chat-settings";

/** A number inside of its range; `otherwise` if it is none. */
export function within(name: keyof Settings, value: unknown, otherwise: number): number {
  const { min, max, step } = RANGES[name];
  if (typeof value !== "number" || !Number.isFinite(value)) return otherwise;
  return Math.min(Math.max(step === 1 ? Math.round(value) : value, min), max);
}

export function parseSettings(text: string | null): Settings {
  let value: Partial<Record<keyof Settings, unknown>> = {};
  try {
    value = (JSON.parse(text ?? "{}") ?? {}) as typeof value;
  } catch {
    // As if there were none.
  }
  return {
    temperature: within("temperature", value.temperature, DEFAULTS.temperature),
    top_p: within("top_p", value.top_p, DEFAULTS.top_p),
    top_k: within("top_k", value.top_k, DEFAULTS.top_k),
    max_tokens: within("max_tokens", value.max_tokens, DEFAULTS.max_tokens),
    seed: typeof value.seed === "number" ? within("seed", value.seed, 0) : null,
  };
}

export function loadSettings(): Settings {
  return parseSettings(load(KEY));
}

export function saveSettings(settings: Settings): void {
  save(KEY, JSON.stringify(settings));
}

/** As a request says it. */
export function samplingOf({ seed, ...settings }: Settings) {
  return { ...settings, ...(seed !== null && { seed }) };
}

const SYSTEM_KEY = "chat-system";

/** What new conversations begin with: the instructions given last. */
export function loadSystem(): string {
  return load(SYSTEM_KEY) ?? "";
}

export function saveSystem(system: string): void {
  save(SYSTEM_KEY, system);
}
