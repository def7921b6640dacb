// The head of the page, a tab for each view, and the choice of the language.

let current = handout.views[0]?.key;
let panels = new Map();
let tabs = new Map();

function open(key) {
  current = key;
  for (const [other, panel] of panels) {
    panel.classList.toggle("shown", other === key);
    tabs.get(other).setAttribute("aria-selected", String(other === key));
    tabs.get(other).tabIndex = other === key ? 0 : -1;
  }
  tabs.get(key).scrollIntoView({block: "nearest", inline: "nearest"});
}

function moveFocus(event) {
  const keys = handout.views.map((view) => view.key);
  const moves = {ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity};
  if (moves[event.key] === undefined) {
    return;
  }
  const place = keys.indexOf(current) + moves[event.key];
  const last = keys.length - 1;
  const next = Number.isFinite(place) ? (place + keys.length) % keys.length : place < 0 ? 0 : last;
  open(keys[next]);
  tabs.get(keys[next]).focus();
  event.preventDefault();
}

function languageButton() {
  const names = handout.languages();
  const next = names[(names.indexOf(handout.language()) + 1) % names.length];
  return handout.element("button", {
    type: "button", class: "quiet language", lang: next,
    on: {
      click() {
        handout.setLanguage(next);
        build();
        document.querySelector(".language").focus();
      },
    },
  }, handout.data.languages[next]);
}

function build() {
  panels = new Map();
  tabs = new Map();
  const list = handout.element("div", {
    role: "tablist", class: "tabs", "aria-label": handout.text("sections"), on: {keydown: moveFocus},
  });
  const main = handout.element("main", {});
  for (const view of handout.views) {
    const id = `view-${view.key}`;
    const tab = handout.element("button", {
      type: "button", role: "tab", id: `tab-${view.key}`, "aria-controls": id,
      on: {click: () => open(view.key)},
    }, handout.text(view.key));
    const panel = handout.element("div", {
      role: "tabpanel", id, class: "view", "aria-labelledby": tab.id,
    });
    tabs.set(view.key, tab);
    panels.set(view.key, panel);
    list.append(tab);
    main.append(panel);
  }
  const vectors = handout.vectors;
  document.body.replaceChildren(
    handout.element(
      "header", {},
      handout.element(
        "div", {class: "title"}, handout.element("h1", {dir: "auto"}, handout.data.title),
        handout.element("p", {class: "note"}, handout.text("about", {
          words: handout.whole(vectors.size), dimensions: handout.whole(vectors.dim),
        })),
      ),
      handout.languages().length > 1 ? languageButton() : null,
    ),
    list, main,
    handout.element("footer", {class: "note"}, handout.text("made_by")),
  );
  open(current);
  for (const view of handout.views) {
    view.build(panels.get(view.key));
  }
}

handout.open = open;
handout.setLanguage(handout.language());
build();
