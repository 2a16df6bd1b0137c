// Where the focus goes when the control that had it goes away: nowhere would mean the start of the page.

/** To the page as a whole. */
export function focusMain(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}
