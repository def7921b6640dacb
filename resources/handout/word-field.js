// A field for a word, with suggestions: a combobox with a list, for fingers and for keys.

const MOST = 8;

/** Letters without case and accents. */
function fold(word) {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

const size = handout.vectors.size;
let folded = null;
const numbers = new Map();

function prepare() {
  if (folded === null) {
    folded = handout.words.slice(0, size).map(fold);
    for (let at = size - 1; at >= 0; at -= 1) {
      numbers.set(folded[at], at);
    }
    for (let at = size - 1; at >= 0; at -= 1) {
      numbers.set(handout.words[at], at);
    }
  }
}

/** The number of a typed word, exactly or without case and accents; −1 if it isn't on the page. */
function findWord(typed) {
  prepare();
  const word = typed.trim();
  return numbers.get(word) ?? numbers.get(fold(word)) ??
    numbers.get(fold(word).replace(/\s+/g, "_")) ?? -1;
}

/** Numbers of words that begin with the typed letters, then of those that contain them. */
function suggest(typed) {
  prepare();
  const wanted = fold(typed.trim());
  if (!wanted) {
    return [];
  }
  const first = [];
  const later = [];
  for (let at = 0; at < size && first.length < MOST; at += 1) {
    const place = folded[at].indexOf(wanted);
    if (place === 0) {
      first.push(at);
    } else if (place > 0 && later.length < MOST) {
      later.push(at);
    }
  }
  return [...first, ...later].slice(0, MOST);
}

let fields = 0;

/**
 * A labelled field: {root, input, set(number)}.
 *
 * choose(number) is called with a word of the page, or −1 when the field is emptied; `clears`: the
 * field is emptied after each choice; `hidden`: the label is only read aloud.
 */
function wordField({label, value = -1, choose, clears = false, hidden = false}) {
  fields += 1;
  const id = `field-${fields}`;
  const list = handout.element("ul", {
    id: `${id}-list`, class: "suggestions", role: "listbox", "aria-label": handout.text("suggestions"),
    hidden: true,
  });
  const problem = handout.element("p", {class: "problem", role: "status"});
  const input = handout.element("input", {
    id, type: "text", role: "combobox", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", enterkeyhint: "search", "aria-autocomplete": "list",
    "aria-expanded": "false", "aria-controls": list.id, dir: "auto",
    placeholder: hidden ? label : null,
  });
  let offered = [];
  let active = -1;
  let taken = value;

  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function mark(at) {
    active = at;
    [...list.children].forEach((item, place) => {
      item.setAttribute("aria-selected", String(place === at));
    });
    if (at >= 0) {
      input.setAttribute("aria-activedescendant", list.children[at].id);
      list.children[at].scrollIntoView({block: "nearest"});
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  }

  function open() {
    offered = suggest(input.value);
    list.replaceChildren(...offered.map((number, at) => {
      const item = handout.element("li", {
        id: `${list.id}-${at}`, role: "option", "aria-selected": "false",
        // The field keeps the focus, or its list would close before the click.
        on: {
          pointerdown: (event) => event.preventDefault(),
          mousedown: (event) => event.preventDefault(),
          click: () => take(number),
        },
      });
      item.append(handout.wordElement(number));
      return item;
    }));
    list.hidden = offered.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark(-1);
  }

  function take(number) {
    taken = clears ? -1 : number;
    input.value = clears ? "" : handout.words[number];
    problem.textContent = "";
    close();
    choose(number);
  }

  function takeTyped() {
    const typed = input.value;
    if (!typed.trim()) {
      problem.textContent = "";
      taken = -1;
      choose(-1);
      return;
    }
    const number = findWord(typed);
    if (number >= 0 && number === taken) {
      // Chosen already: choosing it again would replace what a click is meant for.
      input.value = handout.words[number];
      close();
      return;
    }
    if (number >= 0) {
      take(number);
      return;
    }
    const [near] = suggest(typed.trim().slice(0, 4));
    problem.textContent = handout.text("unknown", {word: typed.trim()}) +
      (near === undefined ? "" : ` ${handout.text("similar", {word: handout.words[near]})}`);
    close();
  }

  input.addEventListener("input", () => {
    problem.textContent = "";
    open();
  });
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden) {
        open();
      }
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (offered.length) {
        mark((active + step + offered.length) % offered.length);
      }
      event.preventDefault();
    } else if (event.key === "Enter") {
      if (active >= 0) {
        take(offered[active]);
      } else {
        takeTyped();
      }
      event.preventDefault();
    } else if (event.key === "Escape" && !list.hidden) {
      close();
      event.preventDefault();
    }
  });
  if (!clears) {
    input.addEventListener("change", takeTyped);
  }
  if (value >= 0) {
    input.value = handout.words[value];
  }
  const root = handout.element(
    "div", {class: "field"},
    handout.element("label", {for: id, class: hidden ? "read" : ""}, label),
    handout.element("div", {class: "combobox"}, input, list),
    problem,
  );
  return {
    root,
    input,
    set(number) {
      taken = number;
      input.value = number >= 0 ? handout.words[number] : "";
      problem.textContent = "";
    },
  };
}

Object.assign(handout, {findWord, suggest, wordField});
