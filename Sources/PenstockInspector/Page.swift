// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Inspector {
  /// Returns a page that shows the streams, in one file without external resources, for any HTTP server.
  ///
  /// The page asks for ``Snapshot/json`` about once a second, and draws each stream from its sources on the left to its
  /// end on the right. Serve both only to people who may see what runs in the process: they contain names of types and
  /// labels, though no values.
  ///
  /// ```swift
  /// let page = Inspector.page(asking: "/pipelines.json")
  /// print(page.hasPrefix("<!DOCTYPE html>"))
  /// // Prints "true"
  /// ```
  ///
  /// - Parameter address: The address at which the server answers with a snapshot, as `application/json`.
  /// - Returns: The page, as `text/html`, in UTF-8.
  public static func page(asking address: String) -> String {
    pageParts.0 + JSON.text(address).text + pageParts.1
  }
}

/// The parts of the page before the address and after it.
private let pageParts = (
  #"""
  <!DOCTYPE html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Pipelines</title>
  <style>
  :root { color-scheme: light dark;
    --back: light-dark(#f6f7f9, #14171c); --card: light-dark(#fff, #1d2128); --text: light-dark(#1b1f24, #e6e8eb);
    --soft: light-dark(#5c6570, #98a2ad); --line: light-dark(#d5dae0, #353c46); --stuck: light-dark(#c0362c, #ff7b6e);
    --flow: light-dark(#1a7f4b, #58c78a); --fill: light-dark(#3b6fd4, #7aa5ff); --pale: light-dark(#fdf0ee, #33211f); }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
  header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline;
    padding: .75rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
  h1 { font-size: 1.15rem; margin: 0; }
  header p { margin: 0; color: var(--soft); }
  header p b { color: var(--stuck); }
  label { margin-left: auto; color: var(--soft); }
  input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: .4rem;
    padding: .2rem .6rem; width: 14rem; }
  main { padding: 1rem 1.25rem; display: grid; gap: .75rem; }
  article { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem; min-width: 0; }
  article.stuck { border-color: var(--stuck); }
  h2 { font-size: 1rem; margin: 0; display: flex; gap: .6rem; align-items: baseline; flex-wrap: wrap; }
  h2 small { color: var(--soft); font-weight: normal; }
  .badge { font-size: .78rem; padding: .05rem .5rem; border-radius: 1rem; border: 1px solid currentColor; color: var(--soft); }
  .stuck .badge { color: var(--stuck); } .flows .badge { color: var(--flow); }
  .why { margin: .25rem 0 0; color: var(--stuck); }
  .why:empty { display: none; }
  .scroll { overflow-x: auto; padding: .6rem 0 .2rem; }
  .node { display: flex; align-items: center; width: max-content; }
  .ups { display: flex; flex-direction: column; gap: .5rem; align-items: flex-end; }
  .up { display: flex; align-items: center; }
  .wire { display: flex; align-items: center; color: var(--soft); font-size: .8rem; }
  .wire::before, .wire::after { content: ""; width: 1rem; border-top: 2px solid var(--line); }
  .wire:empty::after { width: 1.5rem; }
  .wire span { padding: 0 .35rem; white-space: nowrap; }
  .ups.many { border-right: 2px solid var(--line); }
  .ups.many > .up:last-child, .ups.many > .up:first-child { margin: 0; }
  .box { border: 1px solid var(--line); border-radius: .5rem; padding: .3rem .6rem; background: var(--back); font-size: .84rem;
    min-width: 6.5rem; }
  .box.culprit { border: 2px solid var(--stuck); background: var(--pale); }
  .box b { display: block; font-size: .92rem; }
  .box i { display: block; font-style: normal; color: var(--soft); max-width: 18rem; overflow: hidden;
    text-overflow: ellipsis; white-space: nowrap; }
  .tank { height: .35rem; border-radius: .2rem; background: var(--line); margin-top: .2rem; overflow: hidden; }
  .tank div { height: 100%; background: var(--fill); }
  .culprit .tank div { background: var(--stuck); }
  .none { color: var(--soft); }
  @media (max-width: 40rem) { label { margin-left: 0; width: 100%; } input { width: 100%; } main, header { padding-inline: .75rem; } }
  </style>
  </head>
  <body>
  <header><h1>Pipelines</h1><p id="sum" role="status">…</p>
  <label>Show <input id="find" type="search" placeholder="a name, or “held up”" autocomplete="off"></label></header>
  <main id="list"></main>
  <script>
  "use strict";
  const address =
  """#,
  #"""
  ;
  const list = document.getElementById("list"), sum = document.getElementById("sum"), find = document.getElementById("find");
  let last = null, before = new Map();

  function make(tag, name, text) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function time(seconds) {
    return seconds < 1 ? Math.round(seconds * 1000) + " ms" : seconds < 120 ? seconds.toFixed(1) + " s"
      : Math.round(seconds / 60) + " min";
  }

  function lines(link) {
    const found = [];
    if (link.label) found.push(link.label.file + ":" + link.label.line);
    if (link.publisher) found.push("of " + link.publisher);
    if (link.phase === "awaiting") found.push("no subscription yet");
    if (link.phase === "ended") found.push("upstream has ended");
    if (link.outstanding !== undefined)
      found.push(link.outstanding === "unlimited" ? "asked for all"
        : link.outstanding === 0 ? "asked for nothing" : "asked for " + link.outstanding + " more");
    if (link.waiting) found.push("keeps " + link.waiting + (link.capacity !== undefined ? " of " + link.capacity : ""));
    for (const drop of link.drops || []) found.push("dropped " + drop.text);
    if (link.counts) {
      const counts = link.counts;
      found.push(counts.values + (counts.values === 1 ? " value" : " values")
        + (counts.rate !== undefined ? ", " + counts.rate + "/s" : "")
        + (counts.age !== undefined ? ", " + time(counts.age) + " ago" : ""));
    }
    if (link.waitsFor) found.push("waits for " + link.waitsFor);
    if (link.isCut) found.push("…");
    return found;
  }

  function box(link, culprit) {
    const element = make("div", "box" + (culprit && culprit.link === link.id ? " culprit" : ""));
    element.append(make("b", "", link.label ? "“" + link.label.text + "”" : link.name));
    for (const line of lines(link)) { const text = make("i", "", line); text.title = line; element.append(text); }
    if (link.capacity) {
      const tank = make("div", "tank"), level = make("div");
      level.style.width = Math.min(100, 100 * (link.waiting || 0) / link.capacity) + "%";
      tank.append(level); element.append(tank);
    }
    return element;
  }

  function tree(link, culprit) {
    const node = make("div", "node"), ups = link.upstreams || [];
    if (ups.length) {
      const column = make("div", "ups" + (ups.length > 1 ? " many" : ""));
      for (const up of ups) {
        const row = make("div", "up"), wire = make("div", "wire");
        const words = [...(up.link.passes || [])];
        if (up.role) words.push("(" + up.role + ")");
        if (words.length) wire.append(make("span", "", words.join(" ▸ ")));
        row.append(tree(up.link, culprit), wire);
        column.append(row);
      }
      node.append(column);
      if (ups.length > 1) node.append(make("div", "wire"));
    }
    node.append(box(link, culprit));
    return node;
  }

  function count(link) {
    return (link.counts ? link.counts.values : 0) + (link.upstreams || []).reduce((sum, up) => sum + count(up.link), 0);
  }

  function article(stream) {
    const total = count(stream.end), flows = before.has(stream.id) && before.get(stream.id) < total;
    const element = make("article", stream.culprit ? "stuck" : flows ? "flows" : "");
    const title = make("h2", "", stream.title);
    title.append(make("small", "", "#" + stream.id));
    title.append(make("span", "badge", stream.culprit ? "held up" : flows ? "flows" : "idle"));
    element.append(title, make("p", "why", stream.culprit ? stream.culprit.explanation : ""));
    const scroll = make("div", "scroll"), root = tree(stream.end, stream.culprit);
    const tail = [...(stream.end.passes || [])];
    if (stream.end.subscriber) {
      const wire = make("div", "wire");
      if (tail.length) wire.append(make("span", "", tail.join(" ▸ ")));
      const end = make("div", "box"); end.append(make("b", "", stream.end.subscriber));
      root.append(wire, end);
    }
    scroll.append(root); scroll.tabIndex = 0; element.append(scroll);
    return element;
  }

  function show() {
    if (!last) return;
    const words = find.value.trim().toLowerCase();
    const shown = last.streams.filter(stream => !words
      || (words === "held up" ? stream.culprit : JSON.stringify(stream).toLowerCase().includes(words)));
    const held = last.streams.filter(stream => stream.culprit).length;
    sum.replaceChildren(last.streams.length + (last.streams.length === 1 ? " stream" : " streams") + ", "
      + last.liveLinks + " live links" + (held ? ", " : ""));
    if (held) sum.append(make("b", "", held + " held up"));
    shown.sort((a, b) => (b.culprit ? 1 : 0) - (a.culprit ? 1 : 0));
    const places = new Map([...list.querySelectorAll(".scroll")].map(s => [s.closest("article").dataset.id, s.scrollLeft]));
    list.replaceChildren(...shown.slice(0, 200).map(stream => {
      const element = article(stream); element.dataset.id = stream.id; return element;
    }));
    for (const scroll of list.querySelectorAll(".scroll"))
      scroll.scrollLeft = places.get(scroll.closest("article").dataset.id) ?? scroll.scrollWidth;
    if (shown.length > 200) list.append(make("p", "none", (shown.length - 200) + " more: search for a name"));
    if (!shown.length) list.append(make("p", "none", words ? "No stream has this in it." : "No stream is alive."));
  }

  async function ask() {
    try {
      const answer = await fetch(address, { cache: "no-store" });
      if (!answer.ok) throw new Error("the server answers " + answer.status);
      const next = await answer.json();
      if (last) before = new Map(last.streams.map(stream => [stream.id, count(stream.end)]));
      last = next;
      show();
      document.body.dataset.ready = "true";
    } catch (error) { sum.textContent = "No answer: " + error.message; }
    setTimeout(ask, document.hidden ? 5000 : 1000);
  }

  find.addEventListener("input", show);
  addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== find) { event.preventDefault(); find.focus(); }
    if (event.key === "Escape") { find.value = ""; show(); }
  });
  ask();
  </script>
  </body>
  </html>
  """#
)
