// Part of Penstock: Combine for everywhere Swift runs.

// Types some texts into the empty field, so that a page that has just been opened shows what it is about. It ends with the
// visitor's first key, and does not begin where the address has a text: /?q=gate

const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Ghost {
  #field;
  #typed;
  #isOver = false;

  /** @param typed Called after each key, with its label. */
  constructor(field, typed) {
    [this.#field, this.#typed] = [field, typed];
  }

  get isOver() { return this.#isOver; }

  async run(texts) {
    this.#field.classList.add("ghost");
    for (const text of texts) {
      await pause(900);
      for (const letter of isStill.matches ? [text] : text) {
        if (this.#isOver) return;
        this.#field.value += letter;
        this.#typed([...letter].length === 1 ? letter : "…");
        await pause(150);
      }
      await pause(5000);
      if (this.#isOver) return;
      if (text === texts.at(-1)) break;
      this.#field.value = "";
      this.#typed("⌫");
    }
    this.end();
  }

  /** @returns Whether it was there until now. */
  end() {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#field.classList.remove("ghost");
    return true;
  }
}
