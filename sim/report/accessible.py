# SPDX-License-Identifier: Apache-2.0
"""What test_report.py asks of a page for those who do not see it as others do: order of headings, names of pictures, boxes and controls, contrast of
text, tables that scroll and say so, keys."""
from __future__ import annotations

LEAST, LARGE = 4.5, 3  # contrast of text, and of large text (WCAG 2.1, 1.4.3)

SCRIPT = """<script>addEventListener("load", async () => {
const all = (what, where = document) => [...where.querySelectorAll(what)], clean = text => text.replace(/\\s+/g, " ").trim().slice(0, 60);
all("details").forEach(e => { e.open = true; });
const seen = e => e.checkVisibility() && e.getClientRects().length > 0;
const named = e => Boolean(clean(e.getAttribute("aria-label") || "") ||
  (e.getAttribute("aria-labelledby") || "").split(" ").some(id => id && document.getElementById(id)?.textContent.trim()) || e.labels?.length);

// "rgba(1, 2, 3, 0.5)" as numbers; what is not painted is clear.
const rgba = text => { const n = (text.match(/[\\d.]+/g) || []).map(Number); return text.startsWith("rgb") ? [n[0], n[1], n[2], n[3] ?? 1] : [0, 0, 0, 0]; };
const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const ground = e => { const layers = [];
  for (; e; e = e.parentElement) { const color = rgba(getComputedStyle(e).backgroundColor); if (color[3]) layers.push(color); if (color[3] === 1) break; }
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]); };
const light = color => { const [r, g, b] = color.slice(0, 3).map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };

// What a text of a picture stands on: of the shapes drawn before it those with its middle in them.
const shapeGround = (text, svg) => { const box = text.getBoundingClientRect(), at = new DOMPoint(box.left + box.width / 2, box.top + box.height / 2);
  return all("path,rect,circle,polygon", svg).filter(e => !e.closest("defs,pattern,clipPath") && text.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_PRECEDING)
    .reduce((below, e) => { const style = getComputedStyle(e), fill = rgba(style.fill), matrix = e.getScreenCTM();
      if (style.fill === "none" || !matrix || !e.isPointInFill(at.matrixTransform(matrix.inverse()))) return below;
      return over([...fill.slice(0, 3), fill[3] * Number(style.fillOpacity) * Number(style.opacity)], below); }, ground(svg.parentElement)); };

const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walk.nextNode(); node; node = walk.nextNode()) {
  const e = node.parentElement;
  if (!clean(node.data) || e.closest("script,style,title,[hidden]") || !seen(e)) continue;
  const svg = e.closest("svg"), style = getComputedStyle(e), size = parseFloat(style.fontSize);
  const large = !svg && (size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700));
  const below = svg ? shapeGround(e, svg) : ground(e), color = over(rgba(svg ? style.fill : style.color), below);
  texts.push({text: clean(node.data), at: e.closest("[id]")?.id || e.tagName, ratio: ratio(color, below), large});
}
const wide = all("*").filter(e => ["auto", "scroll"].includes(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 && seen(e));
const found = {
  levels: all("h1,h2,h3,h4,h5,h6").filter(seen).map(e => [Number(e.tagName[1]), clean(e.textContent)]),
  language: document.documentElement.lang, title: document.title, texts: texts.length,
  pale: texts.filter(one => one.ratio < (one.large ? %LARGE% : %LEAST%)).map(one => `${one.at}: '${one.text}' ${one.ratio.toFixed(2)}`),
  pictures: all("svg:not(svg svg)").filter(seen).length,
  nameless: [...all("svg:not(svg svg)").filter(seen).filter(e => e.getAttribute("role") !== "img" || !named(e)), ...all("img:not([alt])"),
             ...all("[role=slider],[role=group],[role=region],nav,input,.scroll").filter(e => !named(e)),
             ...all("button,a,summary").filter(e => seen(e) && !clean(e.textContent) && !named(e))]
            .map(e => `${e.tagName} ${e.closest("[id]")?.id}`),
  wide: wide.length,
  unreached: wide.filter(e => e.tabIndex < 0 && !e.querySelector("a,button,input,[tabindex='0']")).map(e => e.closest("[id]")?.id || e.tagName),
  cueless: wide.filter(e => e.matches(".scroll") && !(s => s.backgroundImage.split("gradient(").length > 4 && /local/.test(s.backgroundAttachment) &&
             /scroll/.test(s.backgroundAttachment))(getComputedStyle(e))).map(e => e.querySelector("[id]")?.id || e.id),
  tabbed: all("[tabindex]").filter(e => e.tabIndex > 0).length};
document.body.innerHTML = ""; const pre = document.createElement("pre");
pre.textContent = "PROBE" + JSON.stringify(found) + "END"; document.body.append(pre); });</script>""".replace("%LEAST%", str(LEAST)).replace("%LARGE%", str(LARGE))

# What is planted in the page; words of the complaint.
FAULTS = [
    ("a heading of another level", "<h3>Decisions</h3>", "<h2>Decisions</h2>", "heading: level 4 after 2"),
    ("a picture without a name", '<title id="k0-limits-title">', '<title id="k0-other-title">', "without a name"),
    ("a box that scrolls without a name", 'role="group" aria-labelledby="k0-stalls-caption"', 'role="group"', "without a name"),
    ("a pale text", "--soft:#59626c", "--soft:#8f979f", "contrast"),
    ("a table that does not say that it scrolls", "background:linear-gradient", "foreground:linear-gradient", "does not show that it scrolls"),
    ("a box that no key reaches", '<div class="scroll" tabindex="0"', '<div class="scroll"', "no key reaches"),
    ("an order of keys of its own", 'tabindex="0"', 'tabindex="3"', "order of keys"),
    ("a page without a language", ' lang="en"', "", "no language"),
]


def problems(found: dict, width: int) -> list[str]:
    wrong = []
    levels = found["levels"]
    if not levels or levels[0][0] != 1:
        wrong.append("heading: the first one is not of the first level")
    wrong += [f"heading: level {now} after {before}: '{text}'" for (before, _), (now, text) in zip(levels, levels[1:], strict=False) if now > before + 1]
    wrong += [f"{what}: without a name" for what in found["nameless"]]
    wrong += [f"contrast: {what}" for what in found["pale"][:8]]
    wrong += [f"{what}: no key reaches what is outside of the window" for what in found["unreached"]]
    wrong += [f"{what}: does not show that it scrolls" for what in found["cueless"]]
    if found["tabbed"]:
        wrong.append("an order of keys that is not that of the page")
    if not found["language"] or not found["title"]:
        wrong.append("no language or title")
    if found["texts"] < 400 or not found["pictures"] or (width < 500 and not found["wide"]):
        wrong.append(f"too little was looked at: {found['texts']} texts, {found['pictures']} pictures, {found['wide']} boxes")
    return wrong
