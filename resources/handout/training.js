// How the run was trained: loss, methods paragraph, facts and settings.

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 56;
const BOTTOM = 36;
const TOP = 10;
const SVG = "http://www.w3.org/2000/svg";

function drawn(tag, attributes, shown) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  if (shown !== undefined) {
    made.textContent = shown;
  }
  return made;
}

function lossCurve(progress, losses, label) {
  const low = losses.reduce((least, value) => Math.min(least, value));
  const high = losses.reduce((most, value) => Math.max(most, value));
  const room = (high - low) * 0.06 || Math.abs(high) * 0.05 || 1;
  const x = (value) => LEFT + value * (WIDTH - LEFT - TOP);
  const y = (value) => HEIGHT - BOTTOM -
    (value - low + room) / (high - low + 2 * room) * (HEIGHT - BOTTOM - TOP);
  const figure = drawn("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "curve",
  });
  for (const value of handout.ticks(low - room, high + room)) {
    figure.append(
      drawn("line", {class: "grid", x1: LEFT, x2: WIDTH - TOP, y1: y(value), y2: y(value)}),
      drawn("text", {x: LEFT - 8, y: y(value) + 4, "text-anchor": "end"}, handout.short(value)),
    );
  }
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    figure.append(drawn(
      "text", {x: x(value), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle"},
      handout.language() === "de" ? `${100 * value}\u00a0%` : `${100 * value}%`,
    ));
  }
  figure.append(
    drawn("text", {x: x(0.5), y: HEIGHT - 3, "text-anchor": "middle"}, handout.text("loss_across")),
    drawn("polyline", {
      class: "line",
      points: [...progress].map((at, i) => `${x(at).toFixed(1)},${y(losses[i]).toFixed(1)}`).join(" "),
    }),
  );
  return figure;
}

function lossPart(data, {progress, losses}) {
  const part = handout.element("section", {}, handout.element("h3", {}, handout.text("loss")));
  const label = handout.inLanguage(data.lossLabel);
  if (losses) {
    part.append(lossCurve(progress, losses, handout.text("loss_label", {
      first: handout.short(losses[0]), last: handout.short(losses[losses.length - 1]),
    })));
  }
  const sentences = label ? [`${label[0].toUpperCase()}${label.slice(1)}.`] : [];
  if (data.final) {
    const title = handout.inLanguage(data.finalTitle);
    sentences.push(handout.text("loss_end", {
      value: `${handout.short(data.final.value)} (${title})`,
    }));
  }
  if (data.floor !== null) {
    sentences.push(handout.text("loss_floor", {floor: handout.short(data.floor)}));
  }
  part.append(handout.element("p", {class: "note"}, sentences.join(" ")));
  return part;
}

function shownValue(value) {
  if (typeof value === "boolean") {
    return handout.text(value ? "yes" : "no");
  }
  if (typeof value === "number") {
    return Number.isInteger(value) ? handout.whole(value) : handout.short(value);
  }
  return String(value);
}

function factText(key, value) {
  if (key === "trained_in") {
    return handout.text("seconds", {number: handout.decimal(value, 1)});
  }
  if (typeof value === "object") {
    return handout.inLanguage(value);
  }
  return shownValue(value);
}

handout.addView({
  key: "training",
  build(root) {
    const {data, arrays} = handout.section("training");
    root.append(handout.element("h2", {}, handout.text("training")));
    if (arrays.losses || data.final) {
      root.append(lossPart(data, arrays));
    }
    if (data.methods) {
      root.append(handout.element(
        "section", {}, handout.element("h3", {}, handout.text("methods")),
        // It is written in English, for papers.
        handout.element("p", {lang: "en", class: "methods"}, data.methods),
      ));
    }
    const facts = data.facts.filter(([, value]) => value !== null);
    root.append(handout.element(
      "section", {}, handout.element("h3", {}, handout.text("facts")),
      handout.table(null, facts.map(([key, value]) => [handout.text(key), factText(key, value)])),
    ));
    if (data.settings.length) {
      root.append(handout.element(
        "section", {}, handout.element("h3", {}, handout.text("settings")),
        handout.table(
          [handout.text("setting"), "", handout.text("value")],
          data.settings.map(({label, symbol, value}) => [
            handout.inLanguage(label), symbol, shownValue(value),
          ]),
          [2],
        ),
      ));
    }
  },
});
