// How the run was trained: loss, methods paragraph, facts and settings.

function lossPart(data, {progress, losses}) {
  const part = handout.element("section", {}, handout.element("h3", {}, handout.text("loss")));
  const label = handout.inLanguage(data.lossLabel);
  if (losses) {
    part.append(handout.lossCurve(progress, losses, handout.text("loss_label", {
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
  if (typeof value === "object") {
    return handout.inLanguage(value);
  }
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
