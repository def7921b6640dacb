// What the page has about a word: neighbours, why they are near, and contexts.

const NEIGHBOURS = 15;
const SHOWN = 10;
const PARTS = 5;
const contexts = handout.section("contexts");

/** The stored shared contexts of a word and one of its first neighbours; null if there are none. */
function sharedContexts(word, other) {
  if (!contexts || word >= contexts.data.words) {
    return null;
  }
  const {near, shared, parts, totals, numbers} = contexts.arrays;
  const width = near.length / contexts.data.words;
  const place = near.subarray(word * width, (word + 1) * width).indexOf(other);
  if (place < 0) {
    return null;
  }
  const at = word * width + place;
  if (totals[at] < 0) {
    return null;
  }
  const found = [];
  for (let part = 0; part < PARTS; part += 1) {
    const number = shared[at * PARTS + part];
    if (number !== handout.NONE) {
      found.push({number, score: parts[at * PARTS + part]});
    }
  }
  return {total: totals[at], number: numbers[at], parts: found};
}

/** The contexts of a word by PMI; null if they aren't stored. */
function contextsOf(word) {
  if (!contexts || word >= contexts.data.words) {
    return null;
  }
  const {contexts: names, pmi, times, products, least} = contexts.arrays;
  const found = [];
  for (let at = word * SHOWN; at < (word + 1) * SHOWN; at += 1) {
    if (names[at] !== handout.NONE) {
      found.push({
        number: names[at], pmi: pmi[at], times: times[at], product: products?.[at] ?? null,
      });
    }
  }
  return {rows: found, least: least[word]};
}

/** A button, and what it shows: why two words are near each other. */
function whyOf(word, other, cosine) {
  const found = sharedContexts(word, other);
  if (!found) {
    return null;
  }
  const names = {word: handout.words[word], other: handout.words[other]};
  const panel = handout.element("div", {class: "why", hidden: true});
  const button = handout.element("button", {
    type: "button", class: "quiet small", "aria-expanded": "false",
    "aria-label": handout.text("why", names),
  }, handout.text("why_button"));
  button.addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
    if (panel.childElementCount) {
      return;
    }
    if (!found.parts.length) {
      panel.append(handout.element("p", {}, handout.text("why_none", {
        least: contexts.data.leastShared,
      })));
      return;
    }
    panel.append(
      handout.element("p", {}, handout.text("why_note", {
        total: handout.decimal(found.total, 3),
        cosine: handout.decimal(cosine, handout.vectors.digits),
      })),
      handout.scoreList(found.parts, {
        label: handout.text("why", names), digits: 3, full: found.parts[0].score,
        choose: (number) => handout.tell("word", number),
      }),
    );
    if (found.number > found.parts.length) {
      panel.append(handout.element("p", {class: "note"}, handout.text("why_more", {
        number: handout.whole(found.number),
      })));
    }
  });
  return [button, panel];
}

function contextsPart(word) {
  const found = contextsOf(word);
  const part = handout.element("section", {}, handout.element("h3", {}, handout.text("contexts")));
  if (!found) {
    part.append(handout.element("p", {class: "note"}, handout.text("contexts_missing", {
      number: handout.whole(contexts.data.words),
    })));
    return part;
  }
  const products = contexts.arrays.products !== undefined;
  const head = [handout.text("context"), handout.text("times"), "PMI"];
  part.append(
    handout.table(
      products ? [...head, "w·c"] : head,
      found.rows.map(({number, pmi, times, product}) => {
        const cells = [wordButton(number), handout.whole(times), handout.decimal(pmi, 2)];
        return products ? [...cells, handout.decimal(product, 2)] : cells;
      }),
      [1, 2, 3],
    ),
    handout.element("p", {class: "note"}, handout.text("contexts_note", {
      window: contexts.data.window, word: handout.words[word], least: found.least,
    })),
  );
  return part;
}

/** A word that can be chosen, or only its text if it has no vector here. */
function wordButton(number) {
  if (number >= handout.vectors.size) {
    return handout.wordElement(number);
  }
  const button = handout.element("button", {
    type: "button", class: "plain", on: {click: () => handout.tell("word", number)},
  });
  button.append(handout.wordElement(number));
  return button;
}

/** The card of a word, as elements. */
function wordCard(word) {
  const {counts, digits, bound, size} = handout.vectors;
  const title = handout.element("h2", {tabindex: "-1"});
  title.append(handout.wordElement(word));
  const found = [title];
  if (counts) {
    found.push(handout.element("p", {class: "note"}, handout.text("occurs", {
      number: handout.whole(counts[word]),
    })));
  }
  found.push(handout.element("button", {
    type: "button", class: "quiet", on: {click: () => handout.tell("analogy", word)},
  }, handout.text("use_in_analogy")));
  const near = handout.vectors.nearest(word, NEIGHBOURS);
  found.push(handout.element(
    "section", {},
    handout.element("h3", {}, handout.text("neighbours")),
    handout.scoreList(near, {
      label: handout.text("neighbours"), digits,
      choose: (number) => handout.tell("word", number),
      beside: ({number, score}) => whyOf(word, number, score),
    }),
    handout.element("p", {class: "note"}, [
      handout.text("neighbours_note", {number: handout.whole(size)}),
      handout.text("neighbours_error", {bound: handout.bound(bound)}),
    ].join(" ")),
  ));
  if (contexts) {
    found.push(contextsPart(word));
  }
  return found;
}

Object.assign(handout, {wordCard, sharedContexts, contextsOf});
