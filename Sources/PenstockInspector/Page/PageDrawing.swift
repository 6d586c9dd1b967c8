// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The part of the script that makes elements of what has been answered, and changes nothing else.
internal let pageDrawing =
  #"""
  "use strict";
  // What is looked at: the link whose signals are shown, and the shapes whose streams are listed.
  let ring = null;
  const open = new Set();

  function make(tag, name, text) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  const number = new Intl.NumberFormat("en");
  const many = (count, word) => number.format(count) + " " + word + (count === 1 ? "" : "s");

  function time(seconds) {
    return seconds < 1 ? Math.round(seconds * 1000) + " ms" : seconds < 120 ? seconds.toFixed(1) + " s"
      : seconds < 7200 ? Math.round(seconds / 60) + " min" : Math.round(seconds / 3600) + " h";
  }

  function lines(link) {
    const found = [];
    if (link.label) found.push(link.label.file + ":" + link.label.line);
    if (link.publisher && link.publisher !== link.name) found.push("of " + link.publisher);
    if (link.phase === "awaiting") found.push("no subscription yet");
    if (link.phase === "ended") found.push("upstream has ended");
    if (link.outstanding !== undefined)
      found.push(link.outstanding === "unlimited" ? "asked for all"
        : link.outstanding === 0 ? "asked for nothing" : "asked for " + link.outstanding + " more");
    if (link.waiting) found.push("keeps " + link.waiting + (link.capacity !== undefined ? " of " + link.capacity : ""));
    for (const drop of link.drops || []) found.push("dropped " + drop.text);
    if (link.counts) {
      const counts = link.counts;
      found.push(many(counts.values, "value") + (counts.rate !== undefined ? ", " + counts.rate + "/s" : "")
        + (counts.age !== undefined ? ", " + time(counts.age) + " ago" : ""));
    }
    if (link.waitsFor) found.push("waits for " + link.waitsFor);
    if (link.isCut) found.push("…");
    return found;
  }

  function box(link, culprit) {
    const element = make("div", "box" + (culprit && culprit.link === link.id ? " culprit" : ""));
    // Only an endpoint knows the signals of a link.
    if (counting) {
      element.dataset.link = link.id;
      element.tabIndex = 0;
      element.setAttribute("role", "button");
      element.setAttribute("aria-expanded", String(ring?.link === link.id));
      element.title = "Show its latest signals";
    }
    element.append(make("b", "", link.label ? "“" + link.label.text + "”" : link.name));
    for (const line of lines(link)) { const text = make("i", "", line); text.title = line; element.append(text); }
    if (link.capacity) {
      const tank = make("div", "tank"), level = make("div");
      level.style.width = Math.min(100, 100 * (link.waiting || 0) / link.capacity) + "%";
      tank.append(level); element.append(tank);
    }
    return element;
  }

  // The wire behind a link, along which its values run.
  function wire(link, words) {
    const element = make("div", "wire");
    if (words.length) element.append(make("span", "", words.join(" ▸ ")));
    if (link) element.dataset.from = link.id;
    return element;
  }

  function tree(link, culprit) {
    const node = make("div", "node"), ups = link.upstreams || [];
    if (ups.length) {
      const column = make("div", "ups" + (ups.length > 1 ? " many" : ""));
      for (const up of ups) {
        const row = make("div", "up"), words = [...(up.link.passes || [])];
        if (up.role) words.push("(" + up.role + ")");
        row.append(tree(up.link, culprit), wire(up.link, words));
        column.append(row);
      }
      node.append(column);
      if (ups.length > 1) node.append(wire(null, []));
    }
    node.append(box(link, culprit));
    return node;
  }

  const ups = link => (link.upstreams || []).map(up => up.link);
  const all = link => [link, ...ups(link).flatMap(all)];
  const isNamed = link => all(link).some(link => link.label !== undefined);

  // The path of a stream that nobody has named: its sources, and its end.
  function path(stream) {
    const names = [];
    for (let link = stream.end; link; link = ups(link)[0]) names.unshift(link.name);
    const found = [...names, ...(stream.end.subscriber ? [stream.end.subscriber] : [])];
    return found.length > 4 ? [found[0], "…", ...found.slice(-2)].join(" ▸ ") : found.join(" ▸ ");
  }

  // Streams that differ in numbers only have one shape; an endpoint has found them already.
  function shape(stream) {
    const walk = link => [link.name, link.label, link.publisher, link.passes, link.subscriber, link.isCut,
      stream.culprit?.link === link.id, (link.upstreams || []).map(up => [up.role, walk(up.link)])];
    return JSON.stringify([stream.culprit?.reason, walk(stream.end)]);
  }

  function group(streams) {
    const groups = new Map();
    for (const stream of streams) {
      const key = shape(stream), known = groups.get(key);
      if (!known) groups.set(key, { ...stream, shape: key, alike: 1, longest: stream.unchanged ?? 0, members: [stream] });
      else {
        known.alike += 1; known.longest = Math.max(known.longest, stream.unchanged ?? 0); known.members.push(stream);
      }
    }
    return [...groups.values()].sort((a, b) => (b.culprit ? 1 : 0) - (a.culprit ? 1 : 0));
  }

  function members(stream) {
    const list = make("ol", "members"), shown = (stream.members || []).slice(0, 100);
    for (const member of shown) {
      const row = make("li"), button = make("button", "", "#" + member.id);
      button.type = "button"; button.dataset.stream = member.id; button.title = "Show this stream alone";
      row.append(button, make("span", "", member.why ?? ""), make("time", "", stream.culprit ? time(member.unchanged) : ""));
      list.append(row);
    }
    if (stream.alike > shown.length && shown.length) list.append(make("li", "none", number.format(stream.alike - shown.length) + " more"));
    return list;
  }

  const kinds = { finished: ["|", "finished"], completed: ["|", "ended"], failed: ["✕", "failed"], cancelled: ["!", "cancelled"] };

  // The latest signals of a link, the newest last.
  function signals() {
    const section = make("section", "ring"), head = make("header"), answer = ring.answer;
    const name = answer?.label ? "“" + answer.label + "”" : answer?.name ?? "";
    const title = make("h3", "", "Latest signals of " + name);
    title.append(" ", make("small", "", "#" + ring.link + (answer && !answer.isAlive ? ", which has ended" : "")));
    head.append(title);
    if (answer?.signals?.length) {
      const copy = make("button", "copy", ring.copied === answer.test ? "Copied" : "Copy as marble test");
      copy.type = "button"; head.append(copy);
    }
    const close = make("button", "close", "Close");
    close.type = "button"; head.append(close);
    section.append(head);
    section.setAttribute("aria-label", "Latest signals of " + name);
    if (!answer) section.append(make("p", "none", ring.isGone ? "It has ended, and its signals were not looked at." : "…"));
    else if (!answer.signals) section.append(make("p", "none", "It keeps no signals. Links that are made after counting has begun "
      + "keep their times; inspected(_:describing:) keeps texts of the values, too."));
    else if (!answer.signals.length) section.append(make("p", "none", "Nothing has passed it yet."));
    else {
      if (answer.isDescribed && answer.isLettered)
        section.append(make("p", "none", "Letters stand for the values: the server does not show their texts (Options.showsValues)."));
      if (answer.earlier) section.append(make("p", "none", many(answer.earlier, "earlier signal") + " before these."));
      const list = make("ol", "signals");
      let previous = null;
      for (const signal of answer.signals) {
        const row = make("li"), [sign, word] = kinds[signal.kind] ?? [answer.isLettered ? signal.text : "", answer.isLettered ? "a value" : signal.text];
        row.append(make("span", "ball " + signal.kind, sign));
        const text = make("b", "", word); text.title = word;
        row.append(text, make("time", "", previous === null ? "" : "+" + time(Math.max(0, previous - signal.age))),
          make("time", "", time(signal.age) + " ago"));
        previous = signal.age;
        list.append(row);
      }
      section.append(list);
      if (ring.copied) { section.append(make("p", "none copied", "Copied:")); const text = make("pre", "", ring.copied); text.tabIndex = 0; section.append(text); }
    }
    return section;
  }

  function article(stream) {
    const element = make("article"), title = make("h2", "", isNamed(stream.end) ? stream.title : path(stream));
    if (stream.alike > 1) {
      const button = make("button", "alike", "× " + number.format(stream.alike));
      button.type = "button"; button.title = "Streams of this shape";
      button.setAttribute("aria-expanded", String(open.has(stream.shape)));
      title.append(button);
    } else title.append(make("small", "", "#" + stream.id));
    title.append(make("span", "badge"));
    element.append(title, make("p", "why", stream.why ?? ""));
    const scroll = make("div", "scroll"), root = tree(stream.end, stream.culprit);
    if (stream.end.subscriber) {
      const end = make("div", "box"); end.append(make("b", "", stream.end.subscriber));
      root.append(wire(stream.end, stream.end.passes || []), end);
    }
    scroll.append(root);
    // Without links that may have the focus, it has to have it to be scrolled by keys.
    if (!counting) scroll.tabIndex = 0;
    element.append(scroll);
    if (open.has(stream.shape) && stream.alike > 1) element.append(members(stream));
    if (ring && all(stream.end).some(link => link.id === ring.link)) element.append(signals());
    return element;
  }

  // The link whose signals are shown, when its stream is not.
  function orphan() {
    const element = make("article");
    element.append(signals());
    return element;
  }


  """#
