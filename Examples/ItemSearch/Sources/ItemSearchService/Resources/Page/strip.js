// Part of Penstock: Combine for everywhere Swift runs.

// Four lanes of time that flow to the left: what was typed, what debounce let through, what is on its way, what came.
//
// Time stands still a while after the last event, so that it can be looked at; a gap is marked where time continues.
// An element is made once and placed on a sheet that moves; only what is still on its way is drawn again.

const svgNamespace = "http://www.w3.org/2000/svg";
const debounce = 300;

function element(name, attributes = {}, children = []) {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const shortened = (text, length) => ([...text].length > length ? [...text].slice(0, length - 1).join("") + "…" : text);

const isStill = matchMedia("(prefers-reduced-motion: reduce)");

export class Strip {
  #svg;
  #sheet = element("g");
  #fixed = element("g");
  #hint = element("text", { class: "hint" });
  #marks = [];  // What is on the sheet, and until when it is to be seen.
  #flights = new Map();
  #lastWait;
  #scale = 0.19;  // Pixels for a millisecond.
  #rest = 1000;  // How long time continues after the last event.
  #standing = 0;  // How long time has stood still, all in all.
  #stoodSince = performance.now();
  #busyUntil = -Infinity;

  constructor(svg) {
    this.#svg = svg;
    svg.append(this.#sheet, this.#fixed, this.#hint);
    this.#hint.textContent = "Type, pause, and type on before the answer is there.";
    new ResizeObserver(() => this.#layOut()).observe(svg);
    this.#layOut();
  }

  /** A key was pressed: a marble, and the time that has to pass after it. */
  key(label) {
    const time = this.#happens(performance.now());
    this.#add(time, element("g", { class: "key", transform: `translate(${time * this.#scale} ${this.#lanes[0]})` }, [
      element("circle", { r: 9.5 }), this.#text(label, 0),
    ]));
    if (this.#lastWait && time < this.#lastWait.end) this.#lastWait.endAt(time);
    const bar = element("rect", { class: "wait", x: time * this.#scale, y: this.#lanes[1] + 13, height: 5, rx: 2.5, width: 0 });
    this.#add(time, bar);
    const wait = { start: time, end: time + debounce, bar, endAt(end) {
      this.end = end;
      bar.classList.add("cut-off");
    } };
    this.#lastWait = wait;
    this.#marks.at(-1).update = (now) => bar.setAttribute("width", Math.max(0, Math.min(now, wait.end) - wait.start) * this.#scale);
  }

  /** Typing has paused: a query has left. */
  query(number, filter, at) {
    const time = this.#happens(at);
    const label = shortened(filter, 12);
    const width = [...label].length * 7.6 + 16;
    const x = time * this.#scale;
    const [, second, third] = this.#lanes;
    this.#add(time, element("line", { class: "thread", x1: x, x2: x, y1: second, y2: third }));
    this.#add(time, element("g", { class: "query", transform: `translate(${x - width / 2} ${second})` }, [
      element("rect", { x: -width / 2, y: -11, width, height: 22, rx: 6 }), this.#text(label, 0),
    ]));
    const bar = element("rect", { x, y: third - 8, height: 16, rx: 4, width: 0 });
    const group = element("g", { class: "flight" }, [bar]);
    this.#add(time, group);
    const flight = { start: time, end: undefined, group };
    this.#flights.set(number, flight);
    this.#marks.at(-1).update = (now) => bar.setAttribute("width", Math.max(4, ((flight.end ?? now) - time) * this.#scale));
  }

  /** A query has been given up for a newer one. */
  superseded(number, at) {
    const flight = this.#land(number, at, "gone");
    if (!flight) return;
    const [x, y] = [flight.end * this.#scale, this.#lanes[2]];
    flight.group.append(
      element("path", { class: "cross", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10` }));
  }

  /** An answer has arrived, with a number of items. */
  results(number, count, at) {
    const flight = this.#land(number, at, "done");
    if (!flight) return;
    const x = flight.end * this.#scale;
    flight.group.append(element("line", { class: "thread", x1: x, x2: x, y1: this.#lanes[2], y2: this.#lanes[3] }));
    this.#add(flight.end, element("g", { class: "answer", transform: `translate(${x} ${this.#lanes[3]})` }, [
      element("circle", { r: 13 }), this.#text(`${count}`, 0),
    ]));
  }

  #land(number, at, name) {
    const flight = this.#flights.get(number);
    this.#flights.delete(number);
    if (!flight) return;
    flight.end = Math.max(flight.start, this.#happens(at));
    flight.group.classList.add(name);
    return flight;
  }

  #text(content, x) {
    const text = element("text", { x, y: 4.5 });
    text.textContent = content;
    return text;
  }

  #add(time, mark) {
    this.#sheet.append(mark);
    this.#marks.push({ time, mark });
  }

  /** The time on the strip of an event, which sets time going. */
  #happens(at) {
    const now = performance.now();
    this.#hint.textContent = "";
    if (this.#stoodSince !== undefined) {
      // A little of the gap is left, so that it is seen as one.
      const gap = this.#marks.length ? 300 : 0;
      this.#standing += now - this.#stoodSince - gap;
      if (gap) this.#mark(now - this.#standing - gap / 2);
      this.#stoodSince = undefined;
      this.#svg.classList.add("goes-on");
      this.#next();
    }
    this.#busyUntil = now + this.#rest;
    return Math.min(at, now) - this.#standing;
  }

  /** Where time has stood still. */
  #mark(time) {
    const x = time * this.#scale;
    for (const y of this.#lanes) {
      this.#add(time, element("g", {}, [
        element("rect", { class: "veil", x: x - 3, y: y - 4, width: 6, height: 8 }),
        element("path", { class: "cut", d: `M${x - 5} ${y + 6}l4 -12m3 12l4 -12` }),
      ]));
    }
  }

  #draw() {
    const real = performance.now();
    const isBusy = real < this.#busyUntil || this.#flights.size > 0;
    if (!isBusy) {
      this.#stoodSince = real;
      this.#svg.classList.remove("goes-on");
    }
    this.#place(real - this.#standing);
    if (isBusy) this.#next();
  }

  /** Whoever prefers less motion gets a new picture each second. */
  #next() {
    if (isStill.matches) setTimeout(() => this.#draw(), 1000);
    else requestAnimationFrame(() => this.#draw());
  }

  #place(now) {
    this.#sheet.setAttribute("transform", `translate(${this.#right - now * this.#scale} 0)`);
    const oldest = now - (this.#width + 300) / this.#scale;
    this.#marks = this.#marks.filter((entry) => {
      entry.update?.(now);
      const isSeen = entry.time > oldest || this.#isOnItsWay(entry.mark);
      if (!isSeen) entry.mark.remove();
      return isSeen;
    });
  }

  #isOnItsWay(mark) { return mark.classList.contains("flight") && !mark.matches(".gone, .done"); }

  #shape = "";
  #width = 0;
  #right = 0;
  #lanes = [0, 0, 0, 0];

  /** The lanes have their names at the left where there is room, and above them where there is not. */
  #layOut() {
    const { width, height } = this.#svg.getBoundingClientRect();
    const isWide = width > 640;
    const left = isWide ? 196 : 14;
    [this.#scale, this.#rest] = isWide ? [0.19, 1000] : [0.14, 400];
    this.#width = width;
    this.#right = width - 22;
    const top = isWide ? 0 : 14;
    this.#lanes = [0, 1, 2, 3].map((lane) => top + (height - top) * (lane + 0.5) / 4);
    const names = ["$filter", ".debounce(for: 0.3)", ".switchToLatest()", ".assign(to: &$items)"];
    // What is on the sheet has its place by the height and the scale; a width more or less moves only the sheet.
    if (this.#shape !== `${isWide} ${height}`) {
      this.#shape = `${isWide} ${height}`;
      this.#sheet.replaceChildren();
      this.#marks = [];
    }
    this.#fixed.replaceChildren();
    if (isWide) this.#fixed.append(element("rect", { class: "veil", x: 0, y: 0, width: left - 8, height }));
    this.#svg.querySelectorAll(".lane, .now").forEach((line) => line.remove());
    for (const [lane, name] of names.entries()) {
      const y = this.#lanes[lane];
      this.#svg.prepend(element("line", { class: "lane", x1: left, x2: width, y1: y, y2: y }));
      const label = element("text", isWide ? { class: "label", x: 18, y: y + 4.5 } : { class: "label", x: 14, y: y - 20 });
      label.textContent = name;
      this.#fixed.append(label);
    }
    this.#svg.prepend(element("line", { class: "now", x1: this.#right, x2: this.#right, y1: 8, y2: height - 8 }));
    this.#hint.setAttribute("x", (left + width) / 2);
    this.#hint.setAttribute("y", this.#lanes[1] + 5 + (this.#lanes[2] - this.#lanes[1]) / 2);
    this.#place((this.#stoodSince ?? performance.now()) - this.#standing);
  }
}
