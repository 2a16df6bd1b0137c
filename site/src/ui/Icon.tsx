// Our own icons: 24-unit strokes, drawn with currentColor.

const PATHS = {
  home: "M4 11.5 12 4l8 7.5M6 10v10h4.5v-5.5h3V20H18V10",
  gauge: "M4.5 18a9 9 0 1 1 15 0M12 14l4-5M12 15.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4",
  check: "M5 12.5 10 17.5 19.5 7",
  shield: "M12 3.5 5 6v5.5c0 4.3 2.9 7.6 7 9 4.1-1.4 7-4.7 7-9V6zM9 12l2.2 2.2L15.2 10",
  code: "M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5M13.5 5l-3 14",
  info: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 11v5.5M12 7.6v.1",
  chip: "M7 7h10v10H7zM10 10h4v4h-4zM9.5 7V3.5M14.5 7V3.5M9.5 20.5V17M14.5 20.5V17M7 9.5H3.5M7 14.5H3.5M20.5 9.5H17M20.5 14.5H17",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2.5v2M12 19.5v2M4.6 4.6 6 6M18 18l1.4 1.4M2.5 12h2M19.5 12h2M4.6 19.4 6 18M18 6l1.4-1.4",
  moon: "M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  download: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
  play: "M7.5 5v14l11-7z",
  pause: "M8.5 6v12M15.5 6v12",
  stop: "M7 7h10v10H7z",
  warning: "M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.1",
  keyboard: "M3.5 6.5h17v11h-17zM7 10v.1M10.3 10v.1M13.7 10v.1M17 10v.1M7.5 14h9",
  more: "M5 12.8a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6M12 12.8a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6M19 12.8a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6",
  arrow: "M5 12h14M13 6l6 6-6 6",
  refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7M10.5 11v5M13.5 11v5",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20 20",
  bolt: "M13 3 5.5 13.5H11L10 21l8-11h-5.5z",
  book: "M12 6.5C10 5 7 4.5 4 5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5zv13",
  pen: "M4.5 19.5 6 14.5 16 4.5l3.5 3.5-10 10zM13.5 7l3.5 3.5",
  chat: "M4.5 5h15v11h-8.5L7 20v-4H4.5zM8 9h8M8 12.3h5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  grid: "M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16",
  send: "M12 19V5.5M6 11.5l6-6 6 6",
  down: "M12 5v13.5M6 12.5l6 6 6-6",
  list: "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5v.1M4.5 12v.1M4.5 17.5v.1",
  sliders: "M4 8h8M16 8h4M14 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4M4 16h4M12 16h8M10 18a2 2 0 1 0 0-4 2 2 0 0 0 0 4",
  mesh: "M12 3.5 4.5 8v8.5L12 20.5l7.5-4V8zM4.5 8 12 12l7.5-4M12 12v8.5M4.5 16.5 12 12l7.5 4.5",
  lock: "M6.5 11h11v9h-11zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration only: the text beside it, or the control's label, carries the meaning. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark: four tiles, three of them at work. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="mark-back" width="32" height="32" rx="7" />
      <rect x="7" y="7" width="8" height="8" rx="1.5" />
      <rect x="17" y="7" width="8" height="8" rx="1.5" opacity=".45" />
      <rect x="7" y="17" width="8" height="8" rx="1.5" opacity=".45" />
      <rect x="17" y="17" width="8" height="8" rx="1.5" opacity=".8" />
    </svg>
  );
}
