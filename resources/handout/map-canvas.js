// The map on a canvas: dots, names of words and regions; panned, zoomed and tapped.

const GRID = 65535;
const MARGIN = 28;
const CLOSEST = 80;
// Square pixels of the map for each name of a region: with less, a coarser level is shown.
const ROOM = 13000;
const CANDIDATES = 1500;
const ROUND_DOTS = 6000;
const REACH = {mouse: 14, touch: 26, pen: 20};
const MOVED = 8;
const VISIBLE = 60;
const STEP = 60;
const ZOOM = 1.6;
const MILLISECONDS = 260;

class MapCanvas {
  /** choose(number): a word was tapped; above, below: elements that cover the map there. */
  constructor(canvas, {data, arrays, choose, above, below}) {
    this.above = above;
    this.below = below;
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.places = arrays.places;
    this.size = arrays.places.length / 2;
    this.levels = data.levels.map((regions, at) => ({regions, labels: arrays[`labels${at}`]}));
    this.choose = choose;
    this.chosen = -1;
    this.near = [];
    this.hovered = -1;
    this.scale = 0;
    this.pointers = new Map();
    this.widths = new Map();
    this.boxes = [];
    this.right = 1;
    this.bottom = 1;
    for (let at = 0; at < this.size; at += 1) {
      this.right = Math.max(this.right, this.places[2 * at]);
      this.bottom = Math.max(this.bottom, this.places[2 * at + 1]);
    }
    this.groups = this.grouped();
    for (const level of this.levels) {
      this.measure(level);
    }
    this.listen();
  }

  /** Numbers of the words of each region that gives a colour, and of those in none. */
  grouped() {
    const level = this.levels[Math.min(1, this.levels.length - 1)];
    const groups = (level?.regions ?? []).map((region) => ({region, numbers: []}));
    const others = {region: null, numbers: []};
    for (let at = 0; at < this.size; at += 1) {
      const label = level ? level.labels[at] : -1;
      (label >= 0 ? groups[label] : others).numbers.push(at);
    }
    return [others, ...groups];
  }

  /** The distance from the place of each region within which half of its words are. */
  measure({regions, labels}) {
    const apart = regions.map(() => []);
    for (let at = 0; at < this.size; at += 1) {
      if (labels[at] >= 0) {
        const [x, y] = regions[labels[at]].place;
        apart[labels[at]].push(
          Math.hypot(this.places[2 * at] - x, this.places[2 * at + 1] - y),
        );
      }
    }
    regions.forEach((region, at) => {
      apart[at].sort((one, other) => one - other);
      region.reach = apart[at][apart[at].length >> 1] ?? 0;
    });
  }

  listen() {
    const {canvas} = this;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => this.hover(-1));
    canvas.addEventListener("dblclick", (event) => this.zoomAt(event.offsetX, event.offsetY, 2));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * 0.0016), false);
    }, {passive: false});
    canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  resize() {
    const {clientWidth, clientHeight} = this.canvas;
    if (!clientWidth || !clientHeight) {
      return;
    }
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    const before = {width: this.width, height: this.height};
    this.width = clientWidth;
    this.height = clientHeight;
    if (!this.scale || this.whole) {
      this.showAll(false);
    } else {
      this.left += (this.width - before.width) / 2;
      this.top += (this.height - before.height) / 2;
    }
    this.draw();
  }

  /** Scale and offset that show the whole map. */
  wholeView() {
    const {right, bottom} = this;
    const top = this.above.offsetTop + this.above.offsetHeight;
    const room = this.below.offsetTop - top;
    const wide = (this.width - 2 * MARGIN) / right;
    const high = (room - MARGIN) / bottom;
    const scale = Math.max(Math.min(wide, high), 1e-6);
    return {
      scale, left: (this.width - right * scale) / 2, top: top + (room - bottom * scale) / 2,
    };
  }

  showAll(animated = true) {
    this.goTo(this.wholeView(), animated);
    this.whole = true;
  }

  x(number) {
    return this.left + this.places[2 * number] * this.scale;
  }

  y(number) {
    return this.top + this.places[2 * number + 1] * this.scale;
  }

  /** Move to a view, in a fraction of a second unless the reader prefers no motion. */
  goTo(view, animated = true) {
    cancelAnimationFrame(this.animation);
    this.whole = false;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!animated || still || !this.scale) {
      Object.assign(this, view);
      this.draw();
      return;
    }
    const from = {scale: this.scale, left: this.left, top: this.top};
    const began = performance.now();
    const step = (now) => {
      const share = Math.min((now - began) / MILLISECONDS, 1);
      const eased = 1 - (1 - share) ** 3;
      this.scale = from.scale * (view.scale / from.scale) ** eased;
      // The point that stays in place keeps its place at all scales in between.
      const part = view.scale === from.scale ? eased :
        (this.scale - from.scale) / (view.scale - from.scale);
      this.left = from.left + (view.left - from.left) * part;
      this.top = from.top + (view.top - from.top) * part;
      this.draw();
      if (share < 1) {
        this.animation = requestAnimationFrame(step);
      }
    };
    this.animation = requestAnimationFrame(step);
  }

  zoomAt(x, y, factor, animated = true) {
    const least = this.wholeView().scale;
    const scale = Math.min(Math.max(this.scale * factor, least * 0.8), least * CLOSEST);
    const ratio = scale / this.scale;
    this.goTo({scale, left: x - (x - this.left) * ratio, top: y - (y - this.top) * ratio}, animated);
  }

  zoom(factor) {
    this.zoomAt(this.width / 2, this.height / 2, factor);
  }

  /** Move by pixels; a part of the map always stays visible. */
  pan(across, down) {
    const within = (value, extent, room) => Math.min(
      Math.max(value, VISIBLE - extent * this.scale), room - VISIBLE,
    );
    this.goTo({
      scale: this.scale,
      left: within(this.left + across, this.right, this.width),
      top: within(this.top + down, this.bottom, this.height),
    }, false);
  }

  /** Show a word with its neighbours; move only if it isn't visible. */
  show(number, near) {
    this.chosen = number;
    this.near = near;
    if (number >= 0 && number < this.size && this.scale) {
      const [x, y] = [this.x(number), this.y(number)];
      const hidden = x < 40 || y < 40 || x > this.width - 40 || y > this.height - 40;
      if (hidden) {
        const scale = Math.max(this.scale, this.wholeView().scale * 2);
        const ratio = scale / this.scale;
        this.goTo({
          scale,
          left: this.width / 2 - (x - this.left) * ratio,
          top: this.height / 2 - (y - this.top) * ratio,
        });
        return;
      }
    }
    this.draw();
  }

  /** Zoom to the words of a region of a level. */
  showRegion(level, region) {
    const labels = this.levels[level].labels;
    const across = [];
    const down = [];
    for (let at = 0; at < this.size; at += 1) {
      if (labels[at] === region) {
        across.push(this.places[2 * at]);
        down.push(this.places[2 * at + 1]);
      }
    }
    across.sort((a, b) => a - b);
    down.sort((a, b) => a - b);
    const cut = Math.floor(across.length * 0.03);
    const [left, right] = [across[cut], across[across.length - 1 - cut]];
    const [top, bottom] = [down[cut], down[down.length - 1 - cut]];
    const room = 2 * MARGIN + 40;
    const scale = Math.min(
      (this.width - room) / Math.max(right - left, 500),
      (this.height - room) / Math.max(bottom - top, 500),
      this.wholeView().scale * CLOSEST,
    );
    this.goTo({
      scale,
      left: this.width / 2 - scale * (left + right) / 2,
      top: this.height / 2 - scale * (top + bottom) / 2,
    });
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
    this.start = {x: event.offsetX, y: event.offsetY, moved: this.pointers.size > 1};
    cancelAnimationFrame(this.animation);
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.hover(this.wordAt(event.offsetX, event.offsetY, event.pointerType));
      return;
    }
    const now = {x: event.offsetX, y: event.offsetY};
    if (Math.hypot(now.x - this.start.x, now.y - this.start.y) > MOVED) {
      this.start.moved = true;
    }
    if (this.pointers.size === 1) {
      if (this.start.moved) {
        this.pan(now.x - before.x, now.y - before.y);
        this.pointers.set(event.pointerId, now);
      }
      return;
    }
    const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    const wider = Math.hypot(now.x - other.x, now.y - other.y);
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    this.zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, wider / Math.max(apart, 1), false);
    this.pointers.set(event.pointerId, now);
  }

  release(event) {
    const tapped = this.pointers.has(event.pointerId) && !this.start.moved;
    this.pointers.delete(event.pointerId);
    if (tapped) {
      const number = this.wordAt(event.offsetX, event.offsetY, event.pointerType);
      if (number >= 0) {
        this.choose(number);
      }
    }
  }

  key(event) {
    const moves = {
      ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP],
    };
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (moves[event.key]) {
      this.pan(...moves[event.key]);
    } else if (event.key === "+" || event.key === "=") {
      this.zoom(ZOOM);
    } else if (event.key === "-" || event.key === "−") {
      this.zoom(1 / ZOOM);
    } else if (event.key === "0") {
      this.showAll();
    } else {
      return;
    }
    event.preventDefault();
  }

  hover(number) {
    if (number !== this.hovered) {
      this.hovered = number;
      this.canvas.style.cursor = number >= 0 ? "pointer" : "";
      this.draw();
    }
  }

  /** The word at a pixel: one whose name is there, or else the nearest dot within reach; −1: none. */
  wordAt(x, y, pointer) {
    const named = this.boxes.find(({box}) => (
      x >= box.left - 2 && x <= box.right + 2 && y >= box.top - 2 && y <= box.bottom + 2
    ));
    if (named) {
      return named.number;
    }
    let found = -1;
    let least = (REACH[pointer] ?? REACH.mouse) ** 2;
    for (let at = 0; at < this.size; at += 1) {
      const apart = (this.x(at) - x) ** 2 + (this.y(at) - y) ** 2;
      if (apart < least) {
        least = apart;
        found = at;
      }
    }
    return found;
  }

  /** The finest level whose names have room. */
  levelShown() {
    const area = (GRID * this.scale) ** 2;
    for (let at = this.levels.length - 1; at > 0; at -= 1) {
      if (area >= ROOM * this.levels[at].regions.length) {
        return at;
      }
    }
    return 0;
  }

  colours() {
    const style = getComputedStyle(this.canvas);
    const value = (name) => style.getPropertyValue(name).trim();
    return {
      ground: value("--ground"), text: value("--text"), muted: value("--muted"),
      accent: value("--accent"), family: style.fontFamily,
      dark: matchMedia("(prefers-color-scheme: dark)").matches,
    };
  }

  draw() {
    if (!this.scale || !this.width) {
      return;
    }
    const {context} = this;
    const colours = this.colours();
    const ratio = this.canvas.width / this.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.drawDots(colours);
    const room = new handout.NameRoom(this.width, this.height);
    for (const {offsetLeft, offsetTop, offsetWidth, offsetHeight} of [this.above, this.below]) {
      room.take({
        left: offsetLeft, top: offsetTop,
        right: offsetLeft + offsetWidth, bottom: offsetTop + offsetHeight,
      });
    }
    this.boxes = [];
    this.drawChosen(colours, room);
    this.drawRegions(colours, room);
    this.drawWords(colours, room);
  }

  drawDots(colours) {
    const {context} = this;
    const zoom = this.scale / this.wholeView().scale;
    // So small that they don't cover the whole map, and larger as it is zoomed.
    const room = Math.sqrt(this.width * this.height / this.size);
    const radius = Math.min(
      Math.min(Math.max(room * 0.14, 0.8), 1.8) + Math.log2(Math.max(zoom, 1)) * 0.5, 4,
    );
    context.globalAlpha = 0.75;
    const round = this.size <= ROUND_DOTS || zoom > 3;
    for (const {region, numbers} of this.groups) {
      context.fillStyle = region ? (colours.dark ? region.dark : region.light) : colours.muted;
      context.beginPath();
      for (const number of numbers) {
        const [x, y] = [this.x(number), this.y(number)];
        if (x < -5 || y < -5 || x > this.width + 5 || y > this.height + 5) {
          continue;
        }
        if (round) {
          context.moveTo(x + radius, y);
          context.arc(x, y, radius, 0, 7);
        } else {
          context.rect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8);
        }
      }
      context.fill();
    }
    context.globalAlpha = 1;
  }

  font(colours, size, weight) {
    this.context.font = `${weight} ${size}px ${colours.family}`;
  }

  textWidth(shown, size, weight) {
    const key = `${weight}${size}${shown}`;
    if (!this.widths.has(key)) {
      this.widths.set(key, this.context.measureText(shown).width);
    }
    return this.widths.get(key);
  }

  /** A text on a halo of the ground, so that dots don't cross its letters. */
  write(shown, box, colour, colours) {
    const {context} = this;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = colours.ground;
    context.globalAlpha = 0.9;
    const middle = (box.top + box.bottom) / 2;
    context.strokeText(shown, box.left, middle);
    context.globalAlpha = 1;
    context.fillStyle = colour;
    context.fillText(shown, box.left, middle);
  }

  drawChosen(colours, room) {
    const {context} = this;
    const marked = [this.chosen, ...this.near];
    if (this.hovered >= 0 && !marked.includes(this.hovered)) {
      marked.push(this.hovered);
    }
    for (const number of [...marked].reverse()) {
      if (number < 0 || number >= this.size) {
        continue;
      }
      const own = number === this.chosen;
      context.beginPath();
      context.arc(this.x(number), this.y(number), own ? 6 : 4, 0, 7);
      context.fillStyle = number === this.hovered ? colours.text : colours.accent;
      context.fill();
      if (own) {
        context.lineWidth = 2;
        context.strokeStyle = colours.ground;
        context.stroke();
      }
    }
    for (const number of marked) {
      if (number >= 0 && number < this.size) {
        const own = number === this.chosen;
        this.nameWord(number, own ? 15 : 13, own ? 700 : 600, colours.text, colours, room);
      }
    }
  }

  nameWord(number, size, weight, colour, colours, room) {
    const shown = handout.words[number];
    this.font(colours, size, weight);
    const width = this.textWidth(shown, size, weight);
    const [x, y] = [this.x(number), this.y(number)];
    const box = room.place(handout.besides(x, y, width, size + 4, 7));
    if (box) {
      this.write(shown, box, colour, colours);
      this.boxes.push({number, box});
    }
    return box !== null;
  }

  drawRegions(colours, room) {
    const level = this.levels[this.levelShown()];
    if (!level) {
      return;
    }
    this.font(colours, 14, 700);
    for (const region of level.regions) {
      const x = this.left + region.place[0] * this.scale;
      const y = this.top + region.place[1] * this.scale;
      if (x < 0 || y < 0 || x > this.width || y > this.height) {
        continue;
      }
      const width = this.textWidth(region.name, 14, 700);
      const middle = Math.min(Math.max(x, width / 2 + 2), this.width - width / 2 - 2);
      const reach = region.reach * this.scale;
      // A name would hide a small island of dots.
      const boxes = reach < 26 ? handout.besides(middle, y, width, 19, reach + 6).slice(2) : [];
      const box = room.place([...boxes, ...handout.around(middle, y, width, 19)]);
      if (box) {
        const colour = colours.dark ? region.dark : darker(region.light);
        this.write(region.name, box, colour, colours);
      }
    }
  }

  drawWords(colours, room) {
    const most = this.width * this.height / 3400;
    let seen = 0;
    let named = 0;
    for (let at = 0; at < this.size && seen < CANDIDATES && named < most; at += 1) {
      const [x, y] = [this.x(at), this.y(at)];
      if (x < 0 || y < 0 || x > this.width || y > this.height) {
        continue;
      }
      seen += 1;
      if (at !== this.chosen && !this.near.includes(at) && at !== this.hovered) {
        named += this.nameWord(at, 12, 400, colours.text, colours, room);
      }
    }
  }
}

/** A colour of dots that is dark enough for letters on a light ground. */
function darker(colour) {
  const channels = [1, 3, 5].map((at) => Math.round(parseInt(colour.slice(at, at + 2), 16) * 0.72));
  return `rgb(${channels.join(" ")})`;
}

Object.assign(handout, {MapCanvas});
