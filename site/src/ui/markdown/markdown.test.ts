// What a hostile text becomes on the page: the very elements that a browser would get.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "./Markdown";
import { outsideAddress } from "./links";

const render = (source: string) => renderToStaticMarkup(createElement(Markdown, { source, topLevel: 3 }));

/** Elements that the renderer may make. */
const KNOWN = new Set(["h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "hr", "pre", "code", "strong", "em", "del", "a", "div", "span", "button", "svg", "path", "table", "thead", "tbody", "tr", "th", "td"]);
const KNOWN_ATTRIBUTES = new Set(["class", "href", "title", "target", "rel", "tabindex", "tabIndex", "role", "aria-label", "aria-hidden", "aria-live", "focusable", "type", "scope", "start", "width", "height", "viewBox", "d"]);

const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "**<iframe src=javascript:alert(1)>**",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a]( javascript:alert(1))",
  "[a](java\tscript:alert(1))",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a](vbscript:x) [b](file:///etc/passwd) [c](blob:https://a.org/x) [d](//evil.org) [e](/path) [f](#x)",
  "[a](https://good.org@evil.org/)",
  "![x](https://evil.org/track.png)",
  "![x](javascript:alert(1))",
  '[a](https://a.org/"onmouseover="alert(1))',
  '[a"onclick="alert(1)](https://a.org "onclick=alert(1)")',
  "<https://a.org/\"><script>alert(1)</script>>",
  "`<b onclick=alert(1)>`",
  "```html\n<script>alert(1)</script>\n```",
  '```"><script>alert(1)</script>\nx\n```',
  "| <b>a</b> | b |\n|---|---|\n| <img src=x onerror=alert(1)> | [c](javascript:1) |",
  "# <h1 onclick=x>\n> <p>\n- <li>\n1. <ol>",
  "&lt;script&gt;alert(1)&lt;/script&gt; &#x6A;avascript:",
  "**[*<a href=javascript:x>*](javascript:alert(1))**",
  "]]><!--<script>--><!DOCTYPE html>",
];

test.each(ATTACKS)("nothing of it runs or loads: %s", (source) => {
  for (let n = 1; n <= source.length; n++) {
    const html = render(source.slice(0, n));
    // React escapes every < of a text, so each one left opens or closes an element of the renderer's.
    for (const [, name = "", attributes = ""] of html.matchAll(/<\/?([^\s/>]+)((?:\s[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/g)) {
      expect(KNOWN.has(name), `<${name}> in ${html}`).toBe(true);
      for (const [, attribute = "", value = ""] of attributes.matchAll(/\s([^\s=>]+)(?:="([^"]*)")?/g)) {
        expect(KNOWN_ATTRIBUTES.has(attribute), `${attribute} in ${html}`).toBe(true);
        if (attribute === "href") expect(value).toMatch(/^https?:\/\/[a-z]/);
      }
    }
    expect(html.replaceAll(/<\/?[a-z][^<>]*>/g, "")).not.toContain("<");
  }
});

test("what is not followed is still read", () => {
  expect(render("[click](javascript:alert(1))")).toBe("<p>click</p>");
  expect(render("<b>x</b>")).toBe("<p>&lt;b&gt;x&lt;/b&gt;</p>");
});

test("links say where they lead, and give nothing away", () => {
  expect(render("[a **b**](https://a.org/x?y=1&z=2)")).toBe('<p><a href="https://a.org/x?y=1&amp;z=2" title="https://a.org/x?y=1&amp;z=2" target="_blank" rel="noopener noreferrer nofollow">a <strong>b</strong></a></p>');
  expect(outsideAddress("https://a.org")).toBe("https://a.org/");
  expect(["javascript:1", "https:/a", "https://", "https://user@a.org", "http://[", "ftp://a.org", "a.org"].map(outsideAddress)).toEqual(Array(7).fill(null));
});

test("headings start below those of the page", () => {
  expect(render("# a\n## b\n###### c")).toBe("<h3>a</h3><h4>b</h4><h6>c</h6>");
});

test("lists, quotes, code and tables", () => {
  expect(render("2. a\n   - b\n\n> c\n\n---")).toBe('<ol start="2"><li><p>a</p><ul><li><p>b</p></li></ul></li></ol><blockquote><p>c</p></blockquote><hr/>');
  expect(render("```js\na < b\n```")).toContain('<pre tabindex="0" role="region" aria-label="Code">a &lt; b</pre>');
  expect(render("| a | b |\n|:--|--:|\n| 1 | **2** |")).toContain('<td>1</td><td class="right"><strong>2</strong></td>');
});
