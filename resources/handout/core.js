// The data of the page, its texts in the chosen language, and elements made of them.
//
// Foreign texts (words, names) only ever become text nodes or attributes: nothing here parses HTML.

const data = JSON.parse(document.getElementById("data").textContent);
const TYPES = {
  int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array,
  int32: Int32Array, uint32: Uint32Array, float32: Float32Array, float64: Float64Array,
};
const NONE = 4294967295;

/** The typed array of base64 text. All computers with a browser are little-endian. */
function unpack({type, bytes}) {
  const letters = atob(bytes);
  const raw = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) {
    raw[at] = letters.charCodeAt(at);
  }
  return new TYPES[type](raw.buffer);
}

const sections = new Map();
for (const {key, data: values, arrays} of data.sections) {
  const unpacked = {};
  for (const [name, packed] of Object.entries(arrays)) {
    unpacked[name] = unpack(packed);
    // The text of the numbers would stay in memory.
    packed.bytes = "";
  }
  sections.set(key, {data: values, arrays: unpacked});
}

let language = data.language;

/** A text of the page; `{name}` in it is replaced by values.name. */
function text(key, values = {}) {
  const template = data.texts[language][key] ?? data.texts.en[key] ?? key;
  return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** An element with properties and children; strings become text. `on` are listeners by event. */
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      for (const [event, act] of Object.entries(value)) {
        made.addEventListener(event, act);
      }
    } else if (name === "class") {
      made.className = value;
    } else if (value === true) {
      made.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The word with this number, isolated, so that its direction doesn't affect the text around it. */
function wordElement(number, tag = "bdi") {
  return element(tag, {dir: "auto"}, data.words[number]);
}

const listeners = {};

/** Call `act(value)` at each `tell(event, value)`. */
function listen(event, act) {
  (listeners[event] ??= []).push(act);
}

function tell(event, value) {
  for (const act of listeners[event] ?? []) {
    act(value);
  }
}

Object.assign(handout, {
  data, NONE, text, element, wordElement, listen, tell,
  words: data.words,
  /** What a section of this key brought, or undefined. */
  section: (key) => sections.get(key),
  language: () => language,
  languages: () => Object.keys(data.languages),
  setLanguage(name) {
    language = name;
    document.documentElement.lang = name;
  },
  /** A text that is given in several languages. */
  inLanguage: (texts) => texts[language] ?? texts.en ?? "",
  /** Views by key: {key, build(root)}; each is a page with a tab named by the text of its key. */
  views: [],
  addView(view) {
    if (sections.has(view.key)) {
      handout.views.push(view);
    }
  },
});
