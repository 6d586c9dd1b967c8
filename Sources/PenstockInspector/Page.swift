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
  public static func page(asking address: String) -> String { page(asking: address, counting: nil, "") }

  /// The same page for an ``Endpoint``.
  ///
  /// - Parameters:
  ///   - address: The address of the streams.
  ///   - counting: The address at which counting begins; `nil` without a button for it.
  ///   - nonce: The text by which the response's policy knows the page's own script and style.
  internal static func page(asking address: String, counting: String?, _ nonce: String) -> String {
    let addresses = JSON.list([.text(address), counting.map { .text($0) } ?? .literal("null")]).text
    let mark = nonce.isEmpty ? "" : " nonce=\"\(nonce)\""
    return [
      pageHead, "<style\(mark)>\n", pageStyle, pageBody, "<script\(mark)>\nconst [address, counting] = ", addresses,
      ";\n", pageScript, "</script>\n</body>\n</html>\n",
    ].joined()
  }
}

/// The page up to its style.
private let pageHead =
  #"""
  <!DOCTYPE html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Pipelines</title>

  """#

/// The style.
private let pageStyle =
  #"""
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
  .why { margin: .25rem 0 0; color: var(--soft); }
  .stuck .why { color: var(--stuck); }
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
  .away main { opacity: .45; }
  .away #sum { color: var(--stuck); }
  button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: .4rem;
    padding: .2rem .6rem; cursor: pointer; }
  .scroll { -webkit-mask-image: linear-gradient(to right, var(--from, #000) 0, #000 2rem, #000 calc(100% - 2rem), var(--to, #000));
    mask-image: linear-gradient(to right, var(--from, #000) 0, #000 2rem, #000 calc(100% - 2rem), var(--to, #000)); }
  .scroll.before { --from: transparent; } .scroll.after { --to: transparent; }
  @media (max-width: 40rem) { .ups { gap: .25rem; } .box { min-width: 5rem; } }

  """#

/// The page from its style to its script.
private let pageBody =
  #"""
  </style>
  </head>
  <body>
  <header><h1>Pipelines</h1><p id="sum" role="status">…</p>
  <button id="count" type="button" title="in links that are made from now on" hidden>Count values</button>
  <label>Show <input id="find" type="search" placeholder="a name, or “held up”" autocomplete="off"></label></header>
  <main id="list"></main>

  """#

/// The script, behind its addresses.
private let pageScript =
  #"""
  "use strict";
  const list = document.getElementById("list"), sum = document.getElementById("sum"), find = document.getElementById("find");
  const start = document.getElementById("count");
  let last = null, before = new Map(), since = null;

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

  function isCounted(link) { return link.counts !== undefined || (link.upstreams || []).some(up => isCounted(up.link)); }

  // The path of a stream that nobody has named: its sources, and its end.
  function path(stream) {
    const names = [];
    for (let link = stream.end; link; link = link.upstreams?.[0]?.link) names.unshift(link.name);
    const all = [...names, ...(stream.end.subscriber ? [stream.end.subscriber] : [])];
    return all.length > 4 ? [all[0], "…", ...all.slice(-2)].join(" ▸ ") : all.join(" ▸ ");
  }

  function isNamed(link) { return link.label !== undefined || (link.upstreams || []).some(up => isNamed(up.link)); }

  // What changes with time alone: these texts are replaced, and nothing that may be selected is made again.
  function state(stream) {
    const total = count(stream.end), flows = before.has(stream.id) && before.get(stream.id) < total;
    const kind = stream.culprit ? "stuck" : flows ? "flows" : "";
    const text = stream.culprit ? "held up for " + time(stream.unchanged)
      : flows ? "flows" : isCounted(stream.end) ? "idle" : "not counted";
    return { kind, text };
  }

  function refresh(element, stream) {
    const now = state(stream), badge = element.querySelector(".badge");
    if (element.className !== now.kind) element.className = now.kind;
    if (badge.textContent !== now.text) badge.textContent = now.text;
  }

  function fade(scroll) {
    scroll.classList.toggle("before", scroll.scrollLeft > 2);
    scroll.classList.toggle("after", scroll.scrollLeft + scroll.clientWidth < scroll.scrollWidth - 2);
  }

  // The box that is to blame is in view; without one, the end of the stream.
  function place(scroll) {
    const culprit = scroll.querySelector(".culprit");
    scroll.scrollLeft = culprit
      ? culprit.getBoundingClientRect().left - scroll.getBoundingClientRect().left + scroll.scrollLeft
        - Math.max(8, (scroll.clientWidth - culprit.offsetWidth) / 2)
      : scroll.scrollWidth;
    fade(scroll);
  }

  function article(stream) {
    const element = make("article");
    const title = make("h2", "", isNamed(stream.end) ? stream.title : path(stream));
    title.append(make("small", "", "#" + stream.id));
    title.append(make("span", "badge"));
    element.append(title, make("p", "why", stream.why ?? ""));
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

  // All but the time, which would make each stream another one each time.
  function key(stream) { return JSON.stringify({ ...stream, unchanged: 0 }); }

  // A stream in which somebody has selected a text, or moves by keys, waits for its new picture.
  function isInUse(element) {
    const selection = getSelection();
    return !selection.isCollapsed && element.contains(selection.anchorNode) || element.contains(document.activeElement);
  }

  function show() {
    if (!last) return;
    const words = find.value.trim().toLowerCase(), all = last.count ?? last.streams.length;
    // An endpoint searches and sorts on its own; a plain list of streams is searched here.
    const found = last.found !== undefined ? last.streams : last.streams.filter(stream => !words
      || (words === "held up" ? stream.culprit : JSON.stringify(stream).toLowerCase().includes(words)));
    const held = last.heldUp ?? last.streams.filter(stream => stream.culprit).length;
    sum.replaceChildren(all + (all === 1 ? " stream" : " streams") + ", " + last.liveLinks + " live links" + (held ? ", " : ""));
    if (held) sum.append(make("b", "", held + " held up"));
    start.hidden = !counting || last.isCounting !== false;
    const shown = [...found].sort((a, b) => (b.culprit ? 1 : 0) - (a.culprit ? 1 : 0)).slice(0, 200);
    const there = new Map([...list.querySelectorAll("article")].map(element => [element.dataset.id, element]));
    let next = list.firstElementChild;
    const move = element => {
      if (element === next) { next = element.nextElementSibling; return; }
      const left = element.querySelector(".scroll").scrollLeft;
      list.insertBefore(element, next);
      element.querySelector(".scroll").scrollLeft = left;
    };
    for (const stream of shown) {
      const id = String(stream.id), text = key(stream);
      let element = there.get(id);
      there.delete(id);
      if (!element || element.drawn !== text && !isInUse(element)) {
        const old = element, left = old?.querySelector(".scroll").scrollLeft;
        element = article(stream);
        element.dataset.id = id; element.drawn = text;
        // Where it is moved, it scrolls back to its beginning: so it is scrolled last.
        if (old) { if (next === old) next = element; old.replaceWith(element); }
        move(element);
        const scroll = element.querySelector(".scroll");
        scroll.addEventListener("scroll", () => fade(scroll), { passive: true });
        if (left === undefined || stream.culprit && !old.querySelector(".culprit")) place(scroll);
        else { scroll.scrollLeft = left; fade(scroll); }
      } else move(element);
      refresh(element, stream);
    }
    for (const element of there.values()) element.remove();
    for (const element of list.querySelectorAll(".none")) element.remove();
    const more = (last.found ?? found.length) - shown.length;
    if (more > 0) list.append(make("p", "none", more + " more: search for a name"));
    if (!shown.length) list.append(make("p", "none", words ? "No stream has this in it." : "No stream is alive."));
  }

  async function look() {
    try {
      const words = find.value.trim();
      const answer = await fetch(counting && words ? address + "?find=" + encodeURIComponent(words) : address,
        { cache: "no-store", signal: AbortSignal.timeout(10000) });
      if (!answer.ok) throw new Error("the server answers " + answer.status);
      const next = await answer.json();
      if (last) before = new Map(last.streams.map(stream => [stream.id, count(stream.end)]));
      last = next; since = null;
      document.body.classList.remove("away");
      show();
      document.body.dataset.ready = "true";
    } catch (error) {
      since ??= new Date();
      document.body.classList.add("away");
      sum.textContent = "No answer since " + since.toLocaleTimeString() + " (" + error.message
        + "); what is shown is from before.";
    }
  }

  async function ask() {
    await look();
    setTimeout(ask, document.hidden ? 10000 : counting ? 2000 : 1000);
  }

  start.addEventListener("click", async () => {
    await fetch(counting, { method: "POST", headers: { "X-Penstock-Inspector": "1" } });
    await look();
  });
  let typing;
  find.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(counting ? look : show, counting ? 150 : 0); });
  addEventListener("resize", () => document.querySelectorAll(".scroll").forEach(fade));
  addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== find) { event.preventDefault(); find.focus(); }
    if (event.key === "Escape") { find.value = ""; (counting ? look : show)(); }
  });
  ask();

  """#
