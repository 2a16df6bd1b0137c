import { launch } from "./browser.mjs"; import { serve } from "./serve.mjs";
const s = await serve(new URL("../dist", import.meta.url).pathname); const { context, close } = await launch();
for (let i = 0; i < 5; i++) { const page = await context.newPage(); 
await page.goto(s.url + "#/?device=gpu"); 
const t = await page.waitForFunction(() => performance.getEntriesByName("tilework:first-result")[0]?.startTime).then(h => h.jsonValue());
const r = await page.evaluate(() => performance.getEntriesByType("resource").map(e => [e.name.split("/").pop(), Math.round(e.startTime), Math.round(e.responseEnd)].join(" ")));
const l = await page.evaluate(() => document.querySelector(".demo-figures").innerText.replace(/\s+/g, " "));
console.log(Math.round(t), l, r.join(" | ")); await page.locator(".device-chip").click(); console.log(await page.locator(".facts").first().innerText().then(t => t.replace(/\s+/g, " "))); await page.close(); }
await close(); s.close();
