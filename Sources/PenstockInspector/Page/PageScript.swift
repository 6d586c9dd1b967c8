// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The part of the script that asks, redraws what has changed, and obeys.
internal let pageScript =
  #"""
  const list = document.getElementById("list"), sum = document.getElementById("sum"), find = document.getElementById("find");
  const start = document.getElementById("count"), still = matchMedia("(prefers-reduced-motion: reduce)");
  let last = null, since = null, isWhole = false;
  // How many values had passed each link at the look before, and what is in view: only there marbles run.
  let before = new Map(), totals = new Map();
  const inView = new Set();
  const watcher = new IntersectionObserver(entries => {
    for (const entry of entries) entry.isIntersecting ? inView.add(entry.target) : inView.delete(entry.target);
  });

  function values(streams) {
    const found = new Map();
    for (const stream of streams) for (const link of all(stream.end)) if (link.counts) found.set(link.id, link.counts.values);
    return found;
  }

  const grown = link => link.counts && before.has(link.id) ? link.counts.values - before.get(link.id) : 0;

  // What changes with time alone: these texts are replaced, and nothing that may be selected is made again.
  function state(stream) {
    const links = all(stream.end), flows = totals.has(stream.shape) && stream.values > totals.get(stream.shape)
      || links.some(link => grown(link) > 0 || link.counts?.age < 2)
      || !counting && stream.members.some(member => all(member.end).some(link => grown(link) > 0));
    const kind = stream.culprit ? "stuck" : flows ? "flows" : "";
    const text = stream.culprit ? "held up for " + (stream.alike > 1 ? "up to " : "") + time(stream.longest)
      : flows ? "flows" : links.some(link => link.counts) ? "idle" : "not counted";
    return { kind, text };
  }

  function refresh(element, stream) {
    const now = state(stream), badge = element.querySelector(".badge");
    if (element.className !== now.kind) element.className = now.kind;
    if (badge.textContent !== now.text) badge.textContent = now.text;
  }

  // Makes an element like another one, and keeps those of its parts that may have the focus or be scrolled.
  function morph(old, next) {
    if (old.nodeName !== next.nodeName) return old.replaceWith(next);
    if (old.nodeType === Node.TEXT_NODE) { if (old.data !== next.data) old.data = next.data; return; }
    for (const { name } of [...old.attributes]) if (name !== "style" && !next.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of next.attributes)
      if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
    // Not as an attribute: the page's policy forbids those.
    if (old.style.cssText !== next.style.cssText) old.style.cssText = next.style.cssText;
    // Marbles run on to their end.
    const kept = [...old.childNodes].filter(node => !node.classList?.contains("marble")), made = [...next.childNodes];
    made.forEach((node, place) => kept[place] ? morph(kept[place], node) : old.append(node));
    for (const node of kept.slice(made.length)) node.remove();
  }

  function run(element, stream) {
    if (still.matches || document.hidden || !inView.has(element)) return;
    const flow = new Map();
    for (const link of all(stream.end)) {
      const above = ups(link);
      if (grown(link) > 0) flow.set(link.id, grown(link));
      // What nobody counts has delivered at least what its one subscriber has passed on.
      if (grown(link) > 0 && above.length === 1 && !above[0].counts) flow.set(above[0].id, grown(link));
    }
    for (const line of element.querySelectorAll(".wire[data-from]")) {
      const count = flow.get(Number(line.dataset.from)) ?? 0;
      for (const name of ["", " second", " third"].slice(0, count)) {
        const marble = make("i", "marble" + name);
        marble.addEventListener("animationend", () => marble.remove());
        line.append(marble);
      }
    }
  }

  function fade(scroll) {
    scroll.classList.toggle("before", scroll.scrollLeft > 2);
    scroll.classList.toggle("after", scroll.scrollLeft + scroll.clientWidth < scroll.scrollWidth - 2);
    scroll.classList.toggle("above", scroll.scrollTop > 2);
    scroll.classList.toggle("below", scroll.scrollTop + scroll.clientHeight < scroll.scrollHeight - 2);
  }

  // The box that is to blame is in view; without one, the end of the stream.
  function place(scroll) {
    const box = scroll.querySelector(".culprit")?.getBoundingClientRect(), frame = scroll.getBoundingClientRect();
    scroll.scrollLeft = box ? box.left - frame.left + scroll.scrollLeft - Math.max(8, (frame.width - box.width) / 2)
      : scroll.scrollWidth;
    scroll.scrollTop = box ? box.top - frame.top + scroll.scrollTop - Math.max(8, (frame.height - box.height) / 2)
      : scroll.scrollHeight;
    fade(scroll);
  }

  // All but the time, which would make each stream another one each time, unless it is in a list.
  function key(stream) {
    const isOpen = open.has(stream.shape), hasRing = ring && all(stream.end).some(link => link.id === ring.link);
    return JSON.stringify({ ...stream, unchanged: 0, longest: 0, values: 0, members: isOpen ? stream.members : 0, isOpen,
      ring: hasRing ? ring : 0 });
  }

  // A stream in which somebody has selected a text waits for its new picture.
  function isSelected(element) {
    const selection = getSelection();
    return !selection.isCollapsed && element.contains(selection.anchorNode);
  }

  function put(element, next) {
    if (element === next) return next.nextElementSibling;
    const scroll = element.querySelector(".scroll"), left = scroll?.scrollLeft, top = scroll?.scrollTop;
    list.insertBefore(element, next);
    // Where it is moved, it scrolls back to its beginning.
    if (scroll) { scroll.scrollLeft = left; scroll.scrollTop = top; }
    return next;
  }

  function tell(held) {
    const shapes = last.shapes ?? group(last.streams).length, count = last.count ?? last.streams.length;
    const text = many(count, "stream") + (shapes < count ? " of " + many(shapes, "shape") : "") + ", "
      + many(last.liveLinks, "live link") + (held ? ", " : "");
    const alarm = held ? number.format(held) + " held up" : "";
    if (sum.textContent === text + alarm) return;
    sum.replaceChildren(text);
    if (held) sum.append(make("b", "", alarm));
  }

  function show() {
    if (!last) return;
    const words = find.value.trim().toLowerCase();
    // An endpoint searches, sorts and groups on its own; a plain list of streams is searched here.
    const found = last.found !== undefined ? last.streams : group(last.streams.filter(stream => !words
      || (words === "held up" ? stream.culprit : words === "#" + stream.id || JSON.stringify(stream).toLowerCase().includes(words))));
    tell(last.heldUp ?? last.streams.filter(stream => stream.culprit).length);
    start.hidden = !counting || last.isCounting !== false;
    const shown = found.slice(0, last.limit ?? 200);
    const there = new Map([...list.querySelectorAll("article")].map(element => [element.dataset.shape, element]));
    let next = list.querySelector("article");
    if (ring && !shown.some(stream => all(stream.end).some(link => link.id === ring.link))) {
      let element = there.get("ring");
      there.delete("ring");
      if (!element) { element = orphan(); element.dataset.shape = "ring"; }
      else if (!isSelected(element)) { const drawn = orphan(); drawn.dataset.shape = "ring"; morph(element, drawn); }
      next = put(element, next);
    }
    for (const stream of shown) {
      const text = key(stream);
      let element = there.get(stream.shape);
      there.delete(stream.shape);
      if (!element) {
        element = article(stream);
        element.dataset.shape = stream.shape; element.drawn = text;
        next = put(element, next);
        const scroll = element.querySelector(".scroll");
        scroll.addEventListener("scroll", () => fade(scroll), { passive: true });
        place(scroll);
        watcher.observe(element);
      } else {
        if (element.drawn !== text && !isSelected(element)) {
          const drawn = article(stream), scroll = element.querySelector(".scroll"), wasStuck = scroll.querySelector(".culprit");
          drawn.dataset.shape = stream.shape;
          drawn.className = element.className;
          drawn.querySelector(".scroll").className = scroll.className;
          drawn.querySelector(".badge").textContent = element.querySelector(".badge").textContent;
          const isAtEnd = scroll.scrollLeft > 2 && scroll.scrollLeft + scroll.clientWidth >= scroll.scrollWidth - 2;
          morph(element, drawn);
          element.drawn = text;
          if (stream.culprit && !wasStuck) place(scroll);
          else { if (isAtEnd && !stream.culprit) scroll.scrollLeft = scroll.scrollWidth; fade(scroll); }
          run(element, stream);
        }
        next = put(element, next);
      }
      refresh(element, stream);
    }
    for (const element of there.values()) { watcher.unobserve(element); inView.delete(element); element.remove(); }
    for (const element of list.querySelectorAll(":scope > .none")) element.remove();
    const more = (last.foundShapes ?? found.length) - shown.length;
    if (more > 0) {
      const text = make("p", "none", (last.shapes === undefined ? more : many(more, "more shape")) + (isWhole || !counting ? ": search for a name" : ""));
      if (counting && !isWhole) { const button = make("button", "more", "Show more"); button.type = "button"; text.append(button); }
      list.append(text);
    }
    if (!shown.length) list.append(make("p", "none", words ? "No stream has this in it." : "No stream is alive."));
  }

  const ask = options => fetch(options, { cache: "no-store", signal: AbortSignal.timeout(10000) });

  async function askForSignals() {
    const asked = ring;
    if (!asked) return;
    const answer = await ask(address + "?link=" + asked.link);
    if (answer.ok) { asked.answer = await answer.json(); asked.isGone = false; }
    // What it was before its end stays.
    else if (asked.answer) asked.answer.isAlive = false;
    else asked.isGone = true;
  }

  async function look() {
    try {
      const words = find.value.trim(), query = new URLSearchParams();
      if (words) query.set("find", words);
      if (open.size) query.set("open", [...open].slice(-8).join(","));
      if (isWhole) query.set("all", "1");
      const target = counting && query.size ? address + "?" + query : address;
      const [answer] = await Promise.all([ask(target), askForSignals()]);
      if (!answer.ok) throw new Error("the server answers " + answer.status);
      const next = await answer.json();
      if (last) {
        before = values(last.streams);
        totals = new Map(last.streams.map(stream => [stream.shape, stream.values]));
      }
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

  async function askAgain() {
    await look();
    setTimeout(askAgain, document.hidden ? 10000 : counting ? 2000 : 1000);
  }

  async function showSignals(link) {
    ring = link === null || ring?.link === link ? null : { link, answer: null, copied: "", isGone: false };
    try { await askForSignals(); } catch { /* The next look says that nobody answers. */ }
    show();
  }

  async function copy(text) {
    // Without TLS a browser has no clipboard for pages, except on the same machine.
    try { await navigator.clipboard.writeText(text); } catch {
      const field = make("textarea"); field.value = text;
      document.body.append(field); field.select(); document.execCommand("copy"); field.remove();
    }
  }

  function search(words) { find.value = words; (counting ? look : show)(); }

  list.addEventListener("click", async event => {
    const box = event.target.closest("[data-link]"), stream = event.target.closest("[data-stream]");
    if (stream) search("#" + stream.dataset.stream);
    else if (box && getSelection().isCollapsed) await showSignals(Number(box.dataset.link));
    else if (event.target.closest(".alike")) {
      const { shape } = event.target.closest("article").dataset;
      open.has(shape) ? open.delete(shape) : open.add(shape);
      if (counting && open.has(shape)) await look(); else show();
    } else if (event.target.closest(".more")) { isWhole = true; await look(); }
    else if (event.target.closest(".copy")) {
      const { test } = ring.answer, button = event.target.closest(".copy");
      ring.copied = test;
      await copy(test);
      show();
      button.focus();
    } else if (event.target.closest(".close")) {
      const box = list.querySelector(`[data-link="${ring.link}"]`);
      await showSignals(null);
      box?.focus();
    }
  });
  list.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " " || !event.target.matches("[data-link]")) return;
    event.preventDefault();
    showSignals(Number(event.target.dataset.link));
  });
  start.addEventListener("click", async () => {
    await fetch(counting, { method: "POST", headers: { "X-Penstock-Inspector": "1" } });
    await look();
  });
  let typing;
  find.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(counting ? look : show, counting ? 150 : 0); });
  addEventListener("resize", () => document.querySelectorAll(".scroll").forEach(fade));
  addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== find) { event.preventDefault(); find.focus(); }
    if (event.key === "Escape") ring && document.activeElement !== find ? showSignals(null) : search("");
  });
  askAgain();

  """#
