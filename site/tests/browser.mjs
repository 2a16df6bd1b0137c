// Chromium for the tests, with WebGPU on a software adapter.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { BROWSER_ARGUMENTS } from "../../tests/browser/arguments.mjs";

/** A browser with a profile of its own, so that caches and storage live as long as it does. CHROME names another one. */
export async function launch(options = {}) {
  const profile = await mkdtemp(join(tmpdir(), "tilework-studio-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROME || "/usr/bin/chromium",
    headless: true,
    args: BROWSER_ARGUMENTS,
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  return {
    context,
    close: async () => {
      await context.close().catch(() => {});
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
