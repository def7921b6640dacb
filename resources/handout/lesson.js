// A lesson: its steps with predictions, what the program measured, and the file to hand in.

const STYLES = {code: "code", strong: "strong", emphasis: "em"};
const PLACEHOLDER = /\{([a-z][a-z0-9-]*)\}/g;
const found = handout.section("lesson");
const data = found?.data;
const arrays = found?.arrays;
const KEPT = `embedding-workbench-lesson-${data?.digest}`;
let state = null;

/** What was answered: it survives a reload, where the browser allows that. */
function restore() {
  const empty = {before: {}, after: {}, shown: {}, texts: {}, name: ""};
  try {
    return {...empty, ...JSON.parse(sessionStorage.getItem(KEPT) ?? "{}")};
  } catch {
    return empty;
  }
}

function keep() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(state));
  } catch {
    // Some programs show a page without a storage.
  }
}

/** Parts of a line as elements; placeholders become measured values. */
function inline(parts) {
  return parts.map(([style, text]) => {
    const made = handout.element(STYLES[style] ?? "span");
    if (style === "code") {
      made.append(text);
      return made;
    }
    let at = 0;
    for (const match of text.matchAll(PLACEHOLDER)) {
      const value = data.values[match[1]];
      made.append(text.slice(at, match.index), handout.element(
        "b", {}, value ? handout.inLanguage(value) : "…",
      ));
      at = match.index + match[0].length;
    }
    made.append(text.slice(at));
    return made;
  });
}

function plain(parts) {
  return inline(parts).map((part) => part.textContent).join("");
}

function blocks(list) {
  const made = [];
  for (const {kind, parts} of list) {
    if (kind === "item") {
      if (made.at(-1)?.tagName !== "UL") {
        made.push(handout.element("ul"));
      }
      made.at(-1).append(handout.element("li", {}, ...inline(parts)));
    } else {
      made.push(handout.element("p", {class: kind === "formula" ? "formula" : null},
        ...inline(parts)));
    }
  }
  return made;
}

/** Radio buttons for the choices of a question. */
function choices(step, when, texts, taken, chosen = () => {}) {
  const name = `lesson-${step}-${when}`;
  const given = state[when];
  return handout.element(
    "fieldset", {class: "choices"},
    handout.element("legend", {}, handout.text(when === "before" ? "lesson_predict" : "lesson_after")),
    ...texts.map((parts, at) => {
      const input = handout.element("input", {
        type: "radio", name, id: `${name}-${at}`, value: at, disabled: taken,
        on: {
          change() {
            given[step] = at;
            keep();
            chosen();
          },
        },
      });
      input.checked = given[step] === at;
      return handout.element("label", {for: input.id}, input, handout.element("span", {}, ...inline(parts)));
    }),
  );
}

function measuredTable(step) {
  const rows = data.listed[step].map((at) => data.measured[step][at]);
  if (!rows.length) {
    return null;
  }
  const verdict = {true: "lesson_true", false: "lesson_false"};
  return handout.table(
    [handout.text("lesson_measured"), handout.text("lesson_value"), handout.text("lesson_claim")],
    rows.map((one) => [
      handout.inLanguage(one.described), handout.inLanguage(one.shown),
      one.true === null ? "" : handout.text(verdict[one.true]),
    ]),
    [1],
  );
}

/** The pictures that the trainings of a step made. */
function pictures(step) {
  const {trainer} = handout;
  if (!data.pictures[step].length || !trainer?.wanted) {
    return null;
  }
  return handout.element(
    "div", {class: "pictures"}, trainer.picture(trainer.wanted, handout.text("picture_wanted")),
    ...data.pictures[step].map(({run, array}) => trainer.picture(
      arrays[array], handout.text("lesson_picture", {name: handout.inLanguage(data.values[run])}),
    )),
  );
}

function result(step, texts) {
  const part = handout.element("div", {class: "result", tabindex: "-1"});
  part.append(...blocks(texts.reveal));
  for (const more of [pictures(step), measuredTable(step)]) {
    if (more) {
      part.append(more);
    }
  }
  if (texts.question) {
    // Not before the second answer, which would only repeat it.
    const right = handout.element("p", {role: "status"});
    const tell = () => {
      right.textContent = state.after[step] === undefined ? "" : handout.text("lesson_right", {
        answer: plain(texts.choices[data.right[step]]),
      });
    };
    part.append(choices(step, "after", texts.choices, false, tell), right);
    tell();
  }
  return part;
}

function lessonStep(step, texts) {
  const part = handout.element("section", {class: "step"}, handout.element(
    "h3", {}, handout.text("lesson_step", {number: step + 1, title: texts.title}),
  ));
  part.append(...blocks(texts.text));
  if (!texts.question) {
    part.append(result(step, texts));
    return part;
  }
  part.append(...blocks(texts.question));
  const problem = handout.element("p", {class: "problem", role: "status"});
  const asked = choices(step, "before", texts.choices, state.shown[step]);
  part.append(asked);
  if (state.shown[step]) {
    part.append(result(step, texts));
    return part;
  }
  const button = handout.element("button", {
    type: "button", class: "primary",
    on: {
      click() {
        if (state.before[step] === undefined) {
          problem.textContent = handout.text("lesson_choose");
          return;
        }
        state.shown[step] = true;
        keep();
        asked.querySelectorAll("input").forEach((input) => {
          input.disabled = true;
        });
        const made = result(step, texts);
        button.replaceWith(made);
        problem.remove();
        made.focus({preventScroll: true});
      },
    },
  }, handout.text("lesson_reveal"));
  part.append(button, problem);
  return part;
}

/** What the page hands in, as workbench/session/classes/hand_in.py declares it. */
function handIn() {
  const answer = (number) => (number === undefined ? null : number + 1);
  const steps = data.right.map((_, step) => step).filter(
    (step) => state.before[step] !== undefined || state.after[step] !== undefined,
  );
  const seen = (step) => data.right[step] === null || state.shown[step];
  return {
    format: data.format,
    version: data.version,
    lesson: {key: data.key, title: handout.inLanguage(data.texts).title, digest: data.digest},
    name: state.name.trim(),
    program: data.program,
    seed: data.seed,
    predictions: steps.map((step) => ({
      step: step + 1, before: answer(state.before[step]), after: answer(state.after[step]),
    })),
    measurements: data.measured.flatMap((rows, step) => (seen(step) ? rows.map((one) => ({
      step: step + 1, claim: one.claim, value: one.value, shown: handout.inLanguage(one.shown),
      true: one.true,
    })) : [])),
    answers: ["open", "exit"].filter((key) => state.texts[key]?.trim()).map((key) => ({
      question: key, text: state.texts[key].trim(),
    })),
  };
}

function fileName() {
  const name = `${data.key} ${state.name}`.trim().replace(/[^\p{L}\p{N} _-]+/gu, "");
  return `${name.slice(0, 80)}.json`;
}

function save(place) {
  const text = `${JSON.stringify(handIn(), null, 1)}\n`;
  const address = URL.createObjectURL(new Blob([text], {type: "application/json"}));
  const link = handout.element("a", {href: address, download: fileName()});
  link.click();
  // The browser reads the file after this call.
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  const copy = handout.element("textarea", {readonly: true, rows: "6", "aria-label":
    handout.text("lesson_copy")});
  copy.value = text;
  place.replaceChildren(handout.element("p", {class: "note"}, handout.text("lesson_copy")), copy);
}

function textField(key, label, parts, long) {
  const id = `lesson-${key}`;
  const field = handout.element(long ? "textarea" : "input", {
    id, maxlength: long ? "20000" : "200", rows: long ? "4" : null, autocomplete: "off",
    on: {
      input() {
        if (long) {
          state.texts[key] = field.value;
        } else {
          state.name = field.value;
        }
        keep();
      },
    },
  });
  field.value = long ? state.texts[key] ?? "" : state.name;
  return handout.element(
    "div", {class: "field"}, handout.element("label", {for: id}, label),
    parts ? handout.element("p", {}, ...inline(parts)) : null, field,
  );
}

handout.addView({
  key: "lesson",
  build(root) {
    state ??= restore();
    const texts = handout.inLanguage(data.texts);
    root.classList.add("lesson");
    root.append(
      handout.element("h2", {}, texts.title), handout.element("p", {}, ...inline(texts.about)),
    );
    if (texts.objectives.length) {
      root.append(
        handout.element("p", {class: "note"}, handout.text("lesson_objectives")),
        handout.element("ul", {}, ...texts.objectives.map(
          (parts) => handout.element("li", {}, ...inline(parts)),
        )),
      );
    }
    root.append(handout.element("p", {class: "note"}, handout.text("lesson_panels")));
    texts.steps.forEach((step, at) => root.append(lessonStep(at, step)));
    if (handout.trainer) {
      root.append(handout.trainer.build());
    }
    const place = handout.element("div", {role: "status"});
    for (const key of ["open", "exit"]) {
      if (texts[key].length) {
        root.append(textField(key, handout.text(key === "open" ? "lesson_open" : "lesson_exit"), texts[key], true));
      }
    }
    root.append(
      textField("name", handout.text("lesson_name"), null, false),
      handout.element("button", {
        type: "button", class: "primary", on: {click: () => save(place)},
      }, handout.text("lesson_hand_in")),
      handout.element("p", {class: "note"}, handout.text("lesson_hand_in_note")), place,
    );
    if (texts.sources.length) {
      root.append(
        handout.element("p", {class: "note"}, handout.text("lesson_sources")),
        handout.element("ul", {class: "note"}, ...texts.sources.map(
          (parts) => handout.element("li", {}, ...inline(parts)),
        )),
      );
    }
    handout.handIn = handIn;
  },
});
