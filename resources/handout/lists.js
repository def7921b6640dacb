// Lists of words with bars, and tables.

/**
 * Words with a score each: an ordered list whose words are buttons.
 *
 * rows: [{number, score}]; choose(number): what a word does; full: the score of a full bar;
 * beside(row): further elements, or null
 */
function scoreList(rows, {label, digits, choose, full = 1, beside = null}) {
  const kind = beside ? "scores with-more" : "scores";
  return handout.element("ol", {class: kind, "aria-label": label}, ...rows.map((row) => {
    const bar = handout.element("span", {class: "bar", "aria-hidden": "true"});
    const fill = handout.element("span");
    fill.style.width = `${100 * Math.min(Math.max(row.score / full, 0), 1)}%`;
    bar.append(fill);
    const button = handout.element(
      "button", {type: "button", class: "word", on: {click: () => choose(row.number)}},
      handout.wordElement(row.number), bar,
      handout.element("span", {class: "number"}, handout.decimal(row.score, digits)),
    );
    const further = beside?.(row);
    const item = handout.element("li", {}, button);
    if (further) {
      item.append(...further);
    }
    return item;
  }));
}

/** A table of cells (texts or elements); `numeric` are the columns that are aligned to the right. */
function table(head, rows, numeric = []) {
  const kind = (at) => (numeric.includes(at) ? "number" : "");
  const body = handout.element("tbody", {}, ...rows.map((cells) => handout.element(
    "tr", {}, ...cells.map((cell, at) => handout.element("td", {class: kind(at)}, cell)),
  )));
  const made = handout.element("table", {});
  if (head) {
    made.append(handout.element("thead", {}, handout.element("tr", {}, ...head.map(
      (name, at) => handout.element("th", {scope: "col", class: kind(at)}, name),
    ))));
  }
  made.append(body);
  // A wide table scrolls by itself, also by keys.
  return handout.element("div", {class: "scroll"}, made);
}

/** Buttons that fill in examples: [[number, …], …]. */
function exampleButtons(examples, use) {
  return handout.element("div", {class: "examples"}, ...examples.map((words) => {
    const button = handout.element("button", {type: "button", class: "quiet"});
    button.append(words.map((number) => handout.words[number]).join(", "));
    button.addEventListener("click", () => use(words));
    return button;
  }));
}

Object.assign(handout, {scoreList, table, exampleButtons});
