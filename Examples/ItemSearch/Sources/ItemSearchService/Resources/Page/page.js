// Part of Penstock: Combine for everywhere Swift runs.

// The page sends keystrokes and shows what it is told. What is searched, and when, is the server's business.

import { Ghost } from "/files/ghost.js";
import { Strip } from "/files/strip.js";

const one = (selector) => document.querySelector(selector);
const [field, list, status, details] = ["#filter", "#items", "#status", "#details"].map(one);
const strip = new Strip(one("#strip"));
const sums = { keys: 0, queries: 0, gone: 0, answers: 0 };
let visitor;
let key = 0;
let origin = Infinity;  // The moment of the server's time 0, in this page's time.
let chosen = -1;
let pending = new Set();

const patience = 6000;  // How long an answer is waited for, in milliseconds.
const noAnswer = "The server does not answer. Are many windows of this page open? A browser opens six connections to one server.";

const words = { keys: ["key", "keys"], queries: ["query", "queries"], gone: ["superseded"], answers: ["answer", "answers"] };

function count(name, number = sums[name] + 1) {
  sums[name] = number;
  one(`#${name}`).textContent = number;
  one(`#${name} + i`).textContent = number === 1 ? words[name][0] : words[name].at(-1);
}

function say(text, isTrouble = false) {
  status.textContent = text;
  status.classList.toggle("trouble", isTrouble);
}

// What the visitor does.

async function post(path) {
  if (!visitor) return;
  const [address, body] = [`/visitors/${visitor}/${path}`, path.startsWith("filter") ? field.value : undefined];
  try {
    const answer = await fetch(address, { method: "POST", body, signal: AbortSignal.timeout(patience) });
    if (answer.ok) return;
    const { error } = await answer.json().catch(() => ({}));
    say(error?.message ?? `The server says ${answer.status}.`, true);
  } catch (error) {
    say(error.name === "TimeoutError" ? noAnswer : "The server can't be reached. The page goes on when it is back.", true);
  }
}

function label(event) {
  if (event?.inputType?.startsWith("delete")) return "⌫";
  const text = event?.data ?? "";
  return text === " " ? "␣" : [...text].length === 1 ? text : "…";
}

function typed(label) {
  key += 1;
  count("keys");
  strip.key(label);
  post(`filter?key=${key}`);
}

field.addEventListener("input", (event) => typed(label(event)));

// The first key of the visitor's own replaces what the ghost has typed, and the counts are the visitor's from then on.
const ghost = new Ghost(field, typed);
field.addEventListener("beforeinput", () => {
  if (!ghost.end()) return;
  field.value = "";
  Object.keys(sums).forEach((name) => count(name, 0));
});

one("#pace").addEventListener("change", (event) => {
  ghost.end();
  post(`pace?ms=${event.target.value}`);
  field.focus();
});

function choose(index) {
  const options = list.children;
  options[chosen]?.setAttribute("aria-selected", "false");
  chosen = Math.max(-1, Math.min(index, options.length - 1));
  const option = options[chosen];
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) field.setAttribute("aria-activedescendant", option.id);
  else field.removeAttribute("aria-activedescendant");
}

function open(option) {
  if (!option) return;
  ghost.end();
  details.hidden = false;
  details.querySelector("h2").textContent = option.dataset.name;
  details.querySelector(".attempts").replaceChildren();
  details.querySelector("dl").replaceChildren();
  details.querySelector(".trouble").hidden = one("#renew").hidden = true;
  details.dataset.item = option.dataset.id;
  post(`selection?item=${option.dataset.id}`);
}

function clear() {
  ghost.end();
  if (!details.hidden) { details.hidden = true; return; }
  if (chosen >= 0) { choose(-1); return; }
  if (!field.value) return;
  field.value = "";
  field.dispatchEvent(new InputEvent("input", { inputType: "deleteContent" }));
}

field.addEventListener("keydown", (event) => {
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
  if (event.key in steps) choose(chosen + steps[event.key]);
  else if (event.key === "Enter") open(list.children[Math.max(0, chosen)]);
  else if (event.key === "Escape") clear();
  else return;
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.target === field) return;
  if (event.key === "/" || event.key === "Escape") {
    event.preventDefault();
    if (event.key === "Escape") details.hidden = true;
    field.focus();
  }
});

list.addEventListener("click", (event) => {
  const option = event.target.closest("li");
  if (!option) return;
  choose([...list.children].indexOf(option));
  open(option);
  field.focus();
});

one("#close").addEventListener("click", () => {
  details.hidden = true;
  field.focus();
});

one("#fold").addEventListener("click", (event) => {
  const isShown = document.body.classList.toggle("marbles");
  event.target.setAttribute("aria-expanded", isShown);
});

one("#renew").addEventListener("click", async () => {
  await post("token");
  open([...list.children].find((option) => option.dataset.id === details.dataset.item));
});

// What the server tells.

/** The text with the beginnings of words marked that the filter asks for. */
function marked(text) {
  const words = field.value.split(/[^\p{L}\p{N}]+/u).filter(Boolean).map((word) => word.toLowerCase());
  return text.split(/(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}])/u).flatMap((part) => {
    const word = words.find((word) => part.toLowerCase().startsWith(word));
    if (!word) return [part];
    const mark = document.createElement("mark");
    mark.textContent = part.slice(0, word.length);
    return [mark, part.slice(word.length)];
  });
}

function span(name, content) {
  const made = document.createElement("span");
  made.className = name;
  made.append(...content);
  return made;
}

function show(items) {
  const options = items.map((item) => {
    const option = document.createElement("li");
    option.id = `item-${item.id}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    Object.assign(option.dataset, { id: item.id, name: item.name });
    option.append(
      span("name", marked(item.name)), span("summary", marked(item.summary)), span("section", [item.section]));
    return option;
  });
  chosen = -1;
  list.replaceChildren(...options);
  field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-expanded", options.length > 0);
  const text = field.value.trim();
  const found = items.length === 40 ? "The first 40 items" : items.length === 1 ? "1 item"
    : items.length ? `${items.length} items` : `Nothing begins with “${text}”.`;
  say(text === "" ? "" : found);
}

function showRecord(record) {
  const size = record.size > 2048 ? `${(record.size / 1024).toFixed(1)} MiB` : record.size ? `${record.size} KiB` : "";
  const rows = [["About", record.summary], ["Section", record.section], ["Version", record.version], ["Size", size],
    ["Maintainer", record.maintainer.replace(/ *<.*>/, "")]];
  const parts = rows.filter(([, text]) => text).flatMap(([name, text]) => {
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    description.textContent = text;
    return [term, description];
  });
  if (/^https?:/.test(record.homepage)) {
    const [term, description, link] = ["dt", "dd", "a"].map((name) => document.createElement(name));
    term.textContent = "Homepage";
    Object.assign(link, { href: record.homepage, textContent: record.homepage.replace(/^https?:\/\/|\/$/g, ""), rel: "noreferrer" });
    description.append(link);
    parts.push(term, description);
  }
  details.querySelector("dl").replaceChildren(...parts);
}

let hasGhost = false;
const attempts = () => details.querySelector(".attempts");

const told = {
  welcome({ id, count, origin: source }) {
    visitor = id;
    [key, pending] = [0, new Set()];
    one("#origin").textContent = `${count.toLocaleString("en")} items from ${source}`;
    say("");
    const pace = one("#pace :checked").value;
    if (pace !== "0") post(`pace?ms=${pace}`);
    // The server knows nothing of what was typed before it came back.
    if (field.value) { key += 1; post(`filter?key=${key}`); }
    else if (!ghost.isOver && !hasGhost) { hasGhost = true; ghost.run(["postgres", "web server", "image viewer"]); }
  },
  query({ number, filter }, at) {
    pending.add(number);
    count("queries");
    strip.query(number, filter, at);
    list.setAttribute("aria-busy", "true");
  },
  superseded({ number }, at) {
    // An answer may have come at that moment.
    if (!pending.delete(number)) return;
    count("gone");
    strip.superseded(number, at);
  },
  results({ number, count: found }, at) {
    pending.delete(number);
    count("answers");
    strip.results(number, found, at);
    if (pending.size === 0) list.removeAttribute("aria-busy");
  },
  failed({ number }, at) {
    pending.delete(number);
    strip.superseded(number, at);
    say("The database has failed. The list is the one before.", true);
  },
  items: show,
  attempt() { attempts().append(span("", [`attempt ${attempts().children.length + 1}`])); },
  attemptFailed({ reason }) {
    const last = attempts().lastElementChild;
    last?.classList.add("lost");
    if (last) last.title = reason;
  },
  details({ record }) {
    attempts().lastElementChild?.classList.add("won");
    showRecord(record);
  },
  noDetails({ reason }) {
    const trouble = details.querySelector(".trouble");
    trouble.textContent = reason === "the token has expired"
      ? "The token has expired. To try again would change nothing." : `No details: ${reason}.`;
    trouble.hidden = false;
    one("#renew").hidden = reason !== "the token has expired";
  },
};

// The stream. A browser opens six connections to one server, for all of its tabs: so a tab that nobody sees gives its
// connection back after a while, and asks for a new stream when it is seen again.

let events;
let waiting;
let leaving;

function connect() {
  events = new EventSource("/events");
  waiting = setTimeout(() => say(noAnswer, true), patience);
  for (const [name, handle] of Object.entries(told)) {
    events.addEventListener(name, (event) => {
      const value = JSON.parse(event.data);
      // The server's clock, as early as an event has ever come of it.
      if (name === "welcome") {
        clearTimeout(waiting);
        origin = performance.now() - value.at;
      }
      if (typeof value.at === "number") origin = Math.min(origin, performance.now() - value.at);
      handle(value, origin + value.at);
    });
  }
  events.addEventListener("error", () => {
    clearTimeout(waiting);
    visitor = undefined;
    say("The connection was lost. The page goes on when the server is back.", true);
  });
}

function leave() {
  clearTimeout(waiting);
  events?.close();
  [events, visitor] = [undefined, undefined];
  ghost.end();
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(leaving);
  if (document.hidden) leaving = setTimeout(leave, 5000);
  else if (!events) connect();
});
// A page that is kept for the way back keeps no connection.
addEventListener("pagehide", leave);
addEventListener("pageshow", () => { if (!events) connect(); });

// The address may say what the field has in it, and how long answers take: /?q=gate&pace=2500
const asked = new URLSearchParams(location.search);
const pace = one(`#pace [value="${CSS.escape(asked.get("pace") ?? "")}"]`);
if (pace) pace.checked = true;
if (asked.has("q")) {
  field.value = asked.get("q").slice(0, field.maxLength);
  ghost.end();
}

// What the tests read.
window.itemSearch = { sums, ghost, get isIdle() { return pending.size === 0; }, get isConnected() { return !!visitor; } };
