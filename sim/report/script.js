// SPDX-License-Identifier: Apache-2.0
// What the report can do in a browser that runs scripts: search, switches, limits read off and enlarged, commands for waveforms. All controls are
// made here: without scripts nothing is there that does nothing.
"use strict";
(() => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const one = id => document.getElementById(id);

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  // Numbers have narrow spaces between groups of three; who searches leaves them out.
  const plain = text => text.replace(/\u202f/g, "").replace(/\s+/g, " ").trim();
  const spaced = number => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  // ---- search: rows that do not contain the text are lost ------------------------------------

  const searched = "[id$=-moves],[id$=-others],#failures,#replays-table,#proofs-table,#rules-table,#area-table,[id^=gates-table]";
  const tables = all(searched).filter(e => e.matches("table")).map(table => ({
    table, box: table.closest(".log") || table.closest(".scroll"),
    rows: [...table.tBodies[0].rows].map(row => ({row, text: plain(row.textContent).toLowerCase()}))}));
  const field = make("input", {type: "search", id: "search", autocomplete: "off"});
  const left = make("output", {id: "left"});
  const opened = new Set(); // by the search, to be closed after it

  function unfold(table, found) {
    for (let fold = table.closest("details"); fold; fold = fold.parentElement.closest("details"))
      if (found && !fold.open) {
        fold.open = true;
        opened.add(fold);
      }
  }

  function foldAgain() {
    for (const fold of opened)
      fold.open = false;
    opened.clear();
  }

  // How many rows of a table are left.
  function sift({table, box, rows}, words) {
    let found = 0;
    for (const {row, text} of rows) {
      const here = text.includes(words);
      row.toggleAttribute("data-lost", !here);
      found += here;
    }
    box.toggleAttribute("data-lost", !found);
    if (words)
      unfold(table, found);
    return found;
  }

  function search() {
    const words = plain(field.value).toLowerCase();
    let found = 0, of = 0;
    if (!words)
      foldAgain();
    for (const table of tables) {
      const rows = sift(table, words);
      if (table.table.closest("[hidden]"))
        continue; // of a policy or kernel that is switched off
      found += rows;
      of += table.rows.length;
    }
    for (const run of all(".run"))
      run.toggleAttribute("data-lost", Boolean(words) && !run.querySelector("tbody tr:not([data-lost])"));
    left.textContent = words ? `${spaced(found)} of ${spaced(of)} rows` : "";
  }

  // ---- switches: policies and kernels ----------------------------------------------------------

  // A policy: its decisions, its row or column in tables, its lane in pictures.
  function showRun(run, title, on) {
    for (const part of all(`.run[data-run=${run}]`))
      part.hidden = !on;
    for (const cover of all(`.cover[data-run=${run}]`))
      cover.hidden = on;
    for (const lane of all(`.lane[data-run=${run}]`))
      lane.hidden = !on;
    for (const row of all("[id$=-policies] tbody tr"))
      if (row.cells[0].textContent === title)
        row.hidden = !on;
    const table = one("overview"), column = table ? [...table.rows[0].cells].findIndex(cell => cell.textContent === title) : -1;
    if (column >= 0)
      for (const row of table.rows)
        row.cells[column].hidden = !on;
  }

  function showKernel(section, name, on) {
    section.hidden = !on;
    for (const link of all(`nav a[href="#${section.id}"]`))
      link.parentElement.hidden = !on;
    for (const row of all("#overview tbody tr, #models-table tbody tr"))
      if (row.cells[0].textContent === name)
        row.hidden = !on;
  }

  function switchFor(name, set) {
    const box = make("input", {type: "checkbox", checked: true});
    box.addEventListener("change", () => {
      set(box.checked);
      search();
    });
    return make("label", {}, box, ` ${name}`);
  }

  function switches() {
    const titles = new Map(all(".lanes>i").map(e => [e.dataset.run, e.dataset.title]));
    const runs = [...titles].map(([run, title]) => switchFor(title, on => showRun(run, title, on)));
    const kernels = all(".kernel").map(section => {
      const name = all(`nav a[href="#${section.id}"]`)[0].textContent;
      return switchFor(name, on => showKernel(section, name, on));
    });
    const group = (words, boxes) => make("fieldset", {}, make("legend", {textContent: words}), ...boxes);
    return make("details", {className: "switches"}, make("summary", {textContent: "Show and hide"}),
                group("Policies", runs), group("Kernels", kernels));
  }

  function putTools() {
    field.addEventListener("input", search);
    document.querySelector("nav").append(make("div", {className: "tools"},
      make("label", {htmlFor: "search", textContent: "Search in tables"}), field, left, switches()));
  }

  // ---- limits over time ---------------------------------------------------------------------------

  const WIDTH = 960, LEFT = 190, RIGHT = 30, PLOT = WIDTH - LEFT - RIGHT; // as draw_limits.c draws
  const LEAST = 64; // cycles in a picture
  const levels = ["low", "normal", "high"];
  const tip = make("div", {className: "tip", hidden: true});
  tip.setAttribute("role", "tooltip");

  const pairs = text => (text || "").split(",").filter(Boolean).map(pair => pair.split(" ").map(Number));

  function valueAt(track, cycle) {
    let value = track.length ? track[0][1] : 0;
    for (const [from, next] of track)
      if (from <= cycle)
        value = next;
    return value;
  }

  // The decisions of a table: [number, cycle, words, change, rule].
  function decisionsOf(id) {
    const table = one(id);
    return table ? [...table.tBodies[0].rows].map(row => {
      const [number, cycle, words, change, rule] = [...row.cells].map(cell => plain(cell.textContent));
      return {number, cycle: Number(cycle), words, change, rule};
    }) : [];
  }

  function readLane(kernel, e) {
    const {run, title, box, color, dashes, track, memory, stays, moved, log} = e.dataset, [top, height] = box.split(" ").map(Number);
    return {run, title, top, height, color, dashes, log, moved: Number(moved), chip: memory !== undefined, track: pairs(track),
            memory: pairs(memory), stays: pairs(stays), moves: decisionsOf(`${kernel}-${run}-moves`), others: decisionsOf(`${kernel}-${run}-others`)};
  }

  function stateAt(lane, cycle) {
    if (lane.chip)
      return `SMs ${levels[valueAt(lane.track, cycle)]}, memory ${levels[valueAt(lane.memory, cycle)]}`;
    return `limit ${valueAt(lane.track, cycle)}`;
  }

  // What was decided in a cycle shows from the next one on.
  function stateWords(lane, cycle) {
    const end = lane.track.length ? lane.track[lane.track.length - 1][0] : 0;
    const now = stateAt(lane, cycle), next = stateAt(lane, cycle + 1);
    if (cycle > end)
      return lane.stays.length ? `${now}, which stays; not watched any more` : "not watched any more";
    return now === next ? now : `${now}, from the next cycle on ${next}`;
  }

  // The last decision that moved something; before the first, the last of the others.
  function decisionAt(lane, cycle) {
    const before = rows => rows.filter(row => row.cycle <= cycle).pop();
    return before(lane.moves) || before(lane.others);
  }

  function decisionWords(lane, cycle) {
    const decision = decisionAt(lane, cycle), last = lane.moves[lane.moves.length - 1];
    if (!decision)
      return "No decision before.";
    if (decision === last && lane.moves.length < lane.moved)
      return `The page ends with decision ${last.number} (cycle ${spaced(last.cycle)}, rule ${last.rule}). Later ones are in ${lane.log}.`;
    return `${decision.number ? `Decision ${decision.number}` : "Decided"} in cycle ${spaced(decision.cycle)}, rule ${decision.rule}: ${decision.words}`;
  }

  function showTip(place, head, text) {
    tip.replaceChildren(make("b", {textContent: head}), make("br"), text);
    tip.hidden = false;
    const size = tip.getBoundingClientRect();
    tip.style.left = `${clamp(place.x + 12, 4, Math.max(4, innerWidth - size.width - 4))}px`;
    tip.style.top = `${place.y + 16 + size.height > innerHeight ? Math.max(4, place.y - size.height - 12) : place.y + 16}px`;
  }

  // ---- one lane: a slider over its place in the picture ---------------------------------------------

  function point(view, lane, slider, cycle) {
    const {from, to} = view.range(), at = clamp(Math.round(cycle), from, to);
    const words = `cycle ${spaced(at)}: ${stateWords(lane, at)}`, more = decisionWords(lane, at);
    slider.cycle = at;
    slider.cursor.style.left = `${100 * (at - from) / (to - from)}%`;
    slider.cursor.hidden = false;
    for (const [name, value] of Object.entries({valuemin: from, valuemax: to, valuenow: at, valuetext: `${words}. ${more}`}))
      slider.setAttribute(`aria-${name}`, value);
    const box = slider.cursor.getBoundingClientRect();
    showTip({x: box.left, y: box.bottom}, `${lane.title}, ${words}`, more);
  }

  function leave(slider) {
    slider.cursor.hidden = true;
    tip.hidden = true;
  }

  // Arrows go from decision to decision.
  function nextStop(view, lane, slider, key) {
    const {from, to} = view.range(), stops = lane.moves.map(move => move.cycle).filter(cycle => cycle >= from && cycle <= to);
    switch (key) {
    case "ArrowRight": return stops.find(cycle => cycle > slider.cycle) ?? to;
    case "ArrowLeft": return stops.filter(cycle => cycle < slider.cycle).pop() ?? from;
    case "Home": return from;
    case "End": return to;
    default: return undefined;
    }
  }

  function onKey(view, lane, slider, event) {
    const stop = nextStop(view, lane, slider, event.key);
    if (event.key === "Escape")
      leave(slider);
    else if (stop !== undefined) {
      event.preventDefault();
      point(view, lane, slider, stop);
    }
  }

  function putSlider(view, lane, slider) {
    const cycleUnder = event => {
      const box = slider.getBoundingClientRect(), {from, to} = view.range();
      return from + (to - from) * (event.clientX - box.left) / box.width;
    };
    slider.cycle = view.range().from;
    for (const [name, value] of Object.entries({valuemin: slider.cycle, valuemax: view.range().to, valuenow: slider.cycle}))
      slider.setAttribute(`aria-${name}`, value);
    slider.addEventListener("pointermove", event => event.buttons || point(view, lane, slider, cycleUnder(event)));
    slider.addEventListener("pointerleave", () => leave(slider));
    slider.addEventListener("focus", () => point(view, lane, slider, slider.cycle));
    slider.addEventListener("blur", () => leave(slider));
    slider.addEventListener("keydown", event => onKey(view, lane, slider, event));
    if (view.zoom)
      putDrag(view, slider, cycleUnder);
  }

  // The sliders of a picture, and covers for lanes that are switched off.
  function putLanes(view, lanes, box, height) {
    box.classList.add("over");
    for (const lane of lanes) {
      const slider = make("div", {className: "lane", tabIndex: 0}), cover = make("div", {className: "cover", hidden: true});
      slider.cursor = slider.appendChild(make("i", {hidden: true}));
      slider.setAttribute("role", "slider");
      slider.setAttribute("aria-label", `${lane.title}: ${lane.chip ? "levels" : "CTA limit"} over time`);
      for (const [e, more] of [[slider, 0], [cover, 3]]) { // with the lane's frame
        e.dataset.run = lane.run;
        e.style.top = `${100 * (lane.top - more) / height}%`;
        e.style.height = `${100 * (lane.height + 2 * more) / height}%`;
      }
      slider.style.left = `${100 * LEFT / WIDTH}%`;
      slider.style.width = `${100 * PLOT / WIDTH}%`;
      putSlider(view, lane, slider);
      box.append(cover, slider);
    }
  }

  // ---- a part of the run, drawn from the page's own tracks ---------------------------------------------

  function draw(tag, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes))
      element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const line = (x1, y1, x2, y2, more) => draw("line", {x1, y1, x2, y2, ...more});
  const label = (x, y, anchor, text) => draw("text", {x, y, "text-anchor": anchor, "font-size": 12}, text);

  // Some six round numbers.
  function ticks({from, to}) {
    const rough = (to - from) / 6, power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, [1, 2, 5, 10].find(n => n * power >= rough) * power), found = [];
    for (let cycle = Math.ceil(from / step) * step; cycle <= to; cycle += step)
      found.push(cycle);
    return found;
  }

  // A track as steps, up to its end.
  function steps(track, x, y) {
    return track.map(([cycle, value], i) => i ? `H${x(cycle).toFixed(2)}V${y(value).toFixed(2)}` : `M${x(cycle).toFixed(2)},${y(value).toFixed(2)}`)
      .join("");
  }

  function drawMarks(lane, x, y, {from, to}) {
    let place = -99;
    return lane.moves.filter(move => move.cycle >= from && move.cycle <= to).flatMap(move => {
      const at = x(move.cycle), high = y(valueAt(lane.track, move.cycle + 1)), room = at - place >= 17;
      if (room)
        place = at;
      return [draw("circle", {cx: at, cy: high, r: 3.5, fill: lane.color}), ...(room ? [label(at + 5, high - 5, "start", move.number)] : [])];
    });
  }

  function drawCurves(k, lane, x, y) {
    const stroke = {fill: "none", stroke: lane.color, "stroke-width": 2.5, "stroke-dasharray": lane.dashes};
    const curves = [draw("path", {...stroke, d: steps(lane.track, x, y)})];
    if (lane.chip)
      curves.push(draw("path", {...stroke, stroke: "#D55E00", "stroke-dasharray": "7 3", d: steps(lane.memory, x, value => y(value + 0.12))}));
    else
      curves.push(line(0, y(k.best), PLOT, y(k.best), {stroke: "black", "stroke-dasharray": "2 4"}));
    if (lane.stays.length)
      curves.push(draw("path", {...stroke, "stroke-width": 0.8, "stroke-dasharray": "", d: steps(lane.stays, x, y)}));
    return curves;
  }

  const nameOf = lane => lane.chip ? [`VF levels, ${lane.run}`, "\u2014 SMs", "- - memory"] : [lane.title];

  function drawLane(k, lane, range) {
    const x = cycle => PLOT * (cycle - range.from) / (range.to - range.from), {top, height} = lane;
    const y = value => height * (1 - (lane.chip ? (value + 0.4) / 3.6 : value / (1.5 * k.nmax)));
    const marked = lane.chip ? levels.map((words, i) => [i, words]) : [[1, 1], [k.nmax, k.nmax]];
    const grid = [...marked.map(([value]) => line(0, y(value), PLOT, y(value), {class: "gridline"})),
                  ...ticks(range).map(cycle => line(x(cycle), 0, x(cycle), height, {class: "gridline"}))];
    // The inner picture cuts off what is outside of the lane.
    return [draw("svg", {x: LEFT, y: top, width: PLOT, height}, ...grid, ...drawCurves(k, lane, x, y), ...drawMarks(lane, x, y, range)),
            draw("rect", {x: LEFT, y: top, width: PLOT, height, fill: "none", stroke: "black", "stroke-width": 0.7}),
            ...nameOf(lane).map((words, i) => label(12, top + height / 2 + 24 * i - (lane.chip ? 28 : 0), "start", words)),
            ...marked.map(([value, words]) => label(LEFT - 9, top + y(value) + 4, "end", words))];
  }

  function drawPart(k, range) {
    const bottom = k.height - 46 - 12, x = cycle => LEFT + PLOT * (cycle - range.from) / (range.to - range.from);
    const axis = ticks(range).map(cycle => label(x(cycle), bottom + 22, "middle", spaced(cycle)));
    return draw("svg", {viewBox: `0 0 ${WIDTH} ${k.height}`, class: "drawn", role: "img",
                        "aria-label": `Cycles ${range.from} to ${range.to} of the pictures above`},
                ...k.lanes.flatMap(lane => drawLane(k, lane, range)), ...axis, label(LEFT + PLOT / 2, bottom + 46, "middle", "cycle of the run"));
  }

  // ---- zoom: one range of cycles for a kernel's pictures --------------------------------------------------

  function show(view, from, to) {
    const {k} = view, span = clamp(Math.round(to - from), Math.min(LEAST, k.last), k.last);
    const start = clamp(Math.round(from), 0, k.last - span), whole = span === k.last;
    view.now = {from: start, to: start + span};
    view.drawn?.remove();
    view.drawn = whole ? null : drawPart(k, view.now);
    view.picture.toggleAttribute("hidden", !whole);
    if (!whole)
      view.picture.after(view.drawn);
    if (view.closeUp)
      view.closeUp.hidden = !whole; // it would be one more picture of the same
    view.told.textContent = whole ? "The whole run" : `Cycles ${spaced(view.now.from)} to ${spaced(view.now.to)}`;
    tip.hidden = true;
  }

  // `share` of the range stays; what is at `middle` stays in its place.
  function zoomBy(view, share, middle = (view.now.from + view.now.to) / 2) {
    const {from, to} = view.now, span = clamp((to - from) * share, Math.min(LEAST, view.k.last), view.k.last);
    const start = middle - (middle - from) * span / (to - from);
    show(view, start, start + span);
  }

  function pan(view, share) {
    const {from, to} = view.now;
    show(view, from + share * (to - from), to + share * (to - from));
  }

  function putDrag(view, slider, cycleUnder) {
    slider.addEventListener("pointermove", event => event.buttons === 1 && pan(view, -event.movementX / slider.getBoundingClientRect().width));
    slider.addEventListener("wheel", event => {
      if (!event.ctrlKey)
        return; // the page scrolls
      event.preventDefault();
      zoomBy(view, event.deltaY < 0 ? 0.5 : 2, cycleUnder(event));
    }, {passive: false});
  }

  function zoomTools(view) {
    const button = (text, words, job) => {
      const element = make("button", {type: "button", textContent: text, title: words, onclick: job});
      element.setAttribute("aria-label", words);
      return element;
    };
    return make("div", {className: "zoom"}, button("+", "Enlarge", () => zoomBy(view, 0.5)), button("\u2212", "Show more of the run", () => zoomBy(view, 2)),
      button("\u2190", "Earlier cycles", () => pan(view, -0.5)), button("\u2192", "Later cycles", () => pan(view, 0.5)),
      button("Whole run", "Show the whole run", () => show(view, 0, view.k.last)), view.told);
  }

  function putPictures(data) {
    const id = data.id.replace("-lanes", ""), {last, watched, nmax, best, height} = data.dataset;
    const k = {last: Number(last), nmax: Number(nmax), best: Number(best), height: Number(height), lanes: [...data.children].map(e => readLane(id, e))};
    const figure = one(`${id}-limits`), closeUp = one(`${id}-close`);
    if (!figure)
      return; // drawn without gnuplot: not at all
    const view = {k, closeUp, zoom: true, picture: figure.querySelector("svg"), told: make("output"), range: () => view.now, now: {from: 0, to: k.last}};
    figure.before(zoomTools(view));
    show(view, 0, k.last);
    putLanes(view, k.lanes, view.picture.parentElement, k.height);
    if (closeUp)
      putLanes({range: () => ({from: 0, to: Number(watched)})}, k.lanes, closeUp.querySelector("svg").parentElement, k.height);
  }

  // ---- waveforms --------------------------------------------------------------------------------------------

  const told = make("output", {className: "told", hidden: true});

  function tell(words, command) {
    told.replaceChildren(words, make("code", {textContent: command}),
                         make("button", {type: "button", textContent: "Close", onclick: () => { told.hidden = true; }}));
    told.hidden = false;
  }

  async function copy(command) {
    try {
      await navigator.clipboard.writeText(command);
      tell("Copied: ", command);
    } catch {
      tell("To copy: ", command); // the browser does not let a page write there
    }
  }

  function commandFor(line, cycle) {
    const {command, before, after, last} = line.dataset;
    return `${command} FROM=${Math.max(0, cycle - before)} TO=${Math.min(cycle + Number(after), last)}`;
  }

  function putButtons(line) {
    for (const table of all("table", line.closest(".run"))) {
      table.tHead.rows[0].append(make("th", {scope: "col", className: "g", textContent: "waveform"}));
      for (const row of table.tBodies[0].rows) {
        const command = commandFor(line, Number(plain(row.cells[1].textContent)));
        const button = make("button", {type: "button", textContent: "Copy", title: command, onclick: () => copy(command)});
        button.setAttribute("aria-label", `Copy the command for a waveform around cycle ${plain(row.cells[1].textContent)}`);
        row.append(make("td", {className: "g"}, button));
      }
    }
  }

  putTools();
  all(".lanes").forEach(putPictures);
  all(".wave").forEach(putButtons);
  document.body.append(tip, told);
  document.documentElement.classList.add("scripted");
})();
