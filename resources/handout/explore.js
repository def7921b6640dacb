// The first view: the map, a search field, and the card of the chosen word.

const NEIGHBOURS = 15;
let chosen = linkedWord() ?? handout.data.start;
let map = null;
let card = null;
let field = null;

/** The word that the address names after “#”, or undefined. */
function linkedWord() {
  try {
    const number = handout.findWord(decodeURIComponent(location.hash.slice(1)));
    return number >= 0 ? number : undefined;
  } catch {
    // An address that isn't valid UTF-8.
    return undefined;
  }
}

/** Let the browser's way back lead to the word before. */
function remember(word) {
  try {
    history.pushState({word}, "", `#${encodeURIComponent(handout.words[word])}`);
  } catch {
    // Some programs show a page without a history.
  }
}

function show(word, focus) {
  chosen = word;
  const near = handout.vectors.nearest(word, NEIGHBOURS).map(({number}) => number);
  card.replaceChildren(...handout.wordCard(word));
  field.set(word);
  map.show(word, near);
  if (focus) {
    // The card was replaced, and with it the button that had the focus.
    const title = card.querySelector("h2");
    title.focus({preventScroll: true});
    title.scrollIntoView({block: "nearest"});
  }
}

function regionList(data) {
  const level = Math.min(1, data.levels.length - 1);
  const list = handout.element("ul", {class: "regions"});
  data.levels[level].forEach((region, number) => {
    const button = handout.element("button", {type: "button", class: "plain"});
    const swatch = handout.element("span", {class: "swatch", "aria-hidden": "true"});
    swatch.style.setProperty("--light", region.light);
    swatch.style.setProperty("--dark", region.dark);
    button.append(swatch, region.name);
    button.addEventListener("click", () => {
      map.showRegion(level, number);
      map.canvas.scrollIntoView({block: "nearest"});
    });
    const notes = [handout.text("region_words", {number: handout.whole(region.size)})];
    if (region.contexts.length) {
      const words = region.contexts.map((context) => handout.words[context]).join(", ");
      notes.push(handout.text("region_contexts", {words}));
    }
    list.append(handout.element(
      "li", {}, button, handout.element("span", {class: "note"}, notes.join(", ")),
    ));
  });
  return handout.element(
    "details", {class: "region-list"}, handout.element("summary", {}, handout.text("regions")),
    handout.element("p", {class: "note"}, handout.text("regions_note")), list,
  );
}

function zoomButtons() {
  const all = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  all.setAttribute("viewBox", "0 0 20 20");
  all.setAttribute("aria-hidden", "true");
  const corners = document.createElementNS(all.namespaceURI, "path");
  corners.setAttribute("d", "M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5");
  all.append(corners);
  const button = (shown, key, act) => handout.element("button", {
    type: "button", "aria-label": handout.text(key), title: handout.text(key), on: {click: act},
  }, shown);
  return handout.element(
    "div", {class: "zoom"},
    button("+", "zoom_in", () => map.zoom(1.6)),
    button("−", "zoom_out", () => map.zoom(1 / 1.6)),
    button(all, "zoom_all", () => map.showAll()),
  );
}

handout.addView({
  key: "explore",
  build(root) {
    const {data, arrays} = handout.section("explore");
    root.classList.add("explore");
    field = handout.wordField({
      label: handout.text("search"), hidden: true,
      choose: (number) => number >= 0 && handout.tell("word", number),
    });
    field.root.classList.add("search");
    const canvas = handout.element("canvas", {
      tabindex: "0", role: "application",
      "aria-label": handout.text("map_label", {number: handout.whole(handout.vectors.size)}),
    });
    const zoom = zoomButtons();
    map = new handout.MapCanvas(canvas, {
      data, arrays, choose: (number) => handout.tell("word", number),
      above: field.root, below: zoom,
    });
    card = handout.element("div", {class: "card"});
    root.append(
      handout.element("h2", {class: "read"}, handout.text("explore")),
      handout.element("div", {class: "map"}, field.root, canvas, zoom),
      handout.element(
        "div", {class: "beside"}, card,
        data.levels.length ? regionList(data) :
          handout.element("p", {class: "note"}, handout.text("no_regions")),
        handout.element("p", {class: "note"}, handout.text("map_note", {method: data.method})),
      ),
    );
    show(chosen, false);
    handout.map = map;
  },
});

handout.listen("word", (word) => {
  if (word >= handout.vectors.size) {
    return;
  }
  const focused = card.contains(document.activeElement);
  handout.open("explore");
  if (word !== chosen) {
    remember(word);
  }
  show(word, focused);
});

addEventListener("popstate", (event) => {
  handout.open("explore");
  show(event.state?.word ?? linkedWord() ?? handout.data.start, false);
});
