// Products of the vectors against their target: density of all pairs, and figures by pair count.

const LEFT = 44;
const BOTTOM = 40;
const TOP = 8;
const REACH = 30;

class FitFigure {
  constructor(canvas, {data, arrays}, tell) {
    this.canvas = canvas;
    this.data = data;
    this.arrays = arrays;
    this.tell = tell;
    this.chosen = -1;
    canvas.addEventListener("click", (event) => this.tap(event.offsetX, event.offsetY));
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  x(value) {
    const {low, high} = this.data;
    return LEFT + (value - low) / (high - low) * (this.side - LEFT - TOP);
  }

  y(value) {
    const {low, high} = this.data;
    return this.side - BOTTOM - (value - low) / (high - low) * (this.side - BOTTOM - TOP);
  }

  tap(x, y) {
    const {targets, scores} = this.arrays;
    let least = REACH ** 2;
    this.chosen = -1;
    for (let at = 0; at < targets.length; at += 1) {
      const apart = (this.x(targets[at]) - x) ** 2 + (this.y(scores[at]) - y) ** 2;
      if (apart < least) {
        least = apart;
        this.chosen = at;
      }
    }
    this.draw();
    this.tell(this.chosen);
  }

  /** Choose the pair after the chosen one. */
  next() {
    this.chosen = (this.chosen + 1) % this.arrays.targets.length;
    this.draw();
    this.tell(this.chosen);
  }

  draw() {
    this.side = this.canvas.clientWidth;
    if (!this.side) {
      return;
    }
    const ratio = devicePixelRatio || 1;
    this.canvas.width = this.canvas.height = Math.round(this.side * ratio);
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    const {low, high} = this.data;
    const {histogram} = this.arrays;
    const bins = Math.sqrt(histogram.length);
    const largest = Math.log1p(histogram.reduce((most, value) => Math.max(most, value), 0));
    // Whole pixels, or the edges of neighbouring cells would show.
    const across = (column) => Math.round(this.x(low + (high - low) * column / bins) * ratio) / ratio;
    const up = (row) => Math.round(this.y(low + (high - low) * row / bins) * ratio) / ratio;
    context.fillStyle = colour("--accent");
    for (let row = 0; row < bins; row += 1) {
      for (let column = 0; column < bins; column += 1) {
        const value = histogram[row * bins + column];
        if (value) {
          context.globalAlpha = 0.12 + 0.88 * Math.log1p(value) / largest;
          const [left, top] = [across(column), up(row + 1)];
          context.fillRect(left, top, across(column + 1) - left, up(row) - top);
        }
      }
    }
    context.globalAlpha = 1;
    context.strokeStyle = colour("--line");
    context.lineWidth = 1;
    context.strokeRect(LEFT, TOP, this.x(high) - LEFT, this.y(low) - TOP);
    context.strokeStyle = colour("--text");
    context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(this.x(low), this.y(low));
    context.lineTo(this.x(high), this.y(high));
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = colour("--muted");
    context.font = `12px ${style.fontFamily}`;
    context.textAlign = "center";
    for (const value of handout.ticks(low, high, 6)) {
      context.fillText(handout.short(value), this.x(value), this.side - BOTTOM + 16);
    }
    context.fillText(this.data.target, (LEFT + this.side) / 2, this.side - 6);
    context.textAlign = "right";
    for (const value of handout.ticks(low, high, 6)) {
      context.fillText(handout.short(value), LEFT - 6, this.y(value) + 4);
    }
    context.save();
    context.translate(12, (this.side - BOTTOM) / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText(this.data.score, 0, 0);
    context.restore();
    if (this.chosen >= 0) {
      const {targets, scores} = this.arrays;
      context.beginPath();
      context.arc(this.x(targets[this.chosen]), this.y(scores[this.chosen]), 6, 0, 7);
      context.fillStyle = colour("--ground");
      context.fill();
      context.lineWidth = 3;
      context.strokeStyle = colour("--text");
      context.stroke();
    }
  }
}

function bandName({low, high}) {
  if (low === 0 || low === null) {
    return handout.text("fit_band_below", {high: handout.whole(high)});
  }
  if (high === null) {
    return handout.text("fit_band_from", {low: handout.whole(low)});
  }
  return handout.text("fit_band_between", {low: handout.whole(low), high: handout.whole(high)});
}

/** The table of all pairs and of the bands, with the columns that have a value. */
function bandTable({pairs, all, bands}) {
  const columns = [["r2", "r2"], ["slope", "slope"], ["difference", "mean_difference"], ["rms", "rms"]]
    .filter(([key]) => [all, ...bands].some((figures) => figures[key] !== null));
  const row = (name, number, figures) => [
    name, handout.whole(number), ...columns.map(([key]) => handout.decimal(figures[key], 2)),
  ];
  return handout.table(
    ["fit_band", "pairs", ...columns.map(([, text]) => text)].map((key) => handout.text(key)),
    [
      row(handout.text("fit_all"), pairs, all),
      ...bands.map((band) => row(bandName(band), band.pairs, band)),
    ],
    [1, 2, 3, 4, 5],
  );
}

handout.addView({
  key: "fit",
  build(root) {
    const section = handout.section("fit");
    const {data, arrays} = section;
    const names = {target: data.target, score: data.score, formula: data.formula};
    const canvas = handout.element("canvas", {
      class: "fit", role: "img", "aria-label": handout.text("fit_label", {
        ...names, number: handout.whole(data.pairs),
      }),
    });
    const tap = handout.text("fit_tap");
    const pair = handout.element("p", {role: "status"}, tap);
    const figure = new FitFigure(canvas, section, (at) => {
      pair.textContent = at < 0 ? tap : handout.text("fit_pair", {
        ...names, word: handout.words[arrays.rows[at]], context: handout.words[arrays.columns[at]],
        value: handout.decimal(arrays.targets[at], 2), product: handout.decimal(arrays.scores[at], 2),
      });
    });
    root.append(
      handout.element("h2", {}, handout.text("fit_title")),
      handout.element("p", {}, handout.text("fit_note", {
        ...names, number: handout.whole(data.words),
      })),
      canvas, pair,
      handout.element("button", {
        type: "button", class: "quiet", on: {click: () => figure.next()},
      }, handout.text("fit_next")),
      handout.element("p", {class: "note"}, handout.text("fit_target", names)),
      bandTable(data),
      handout.element("p", {class: "note"}, [
        handout.text("fit_weighted"),
        data.unseen ? handout.text("unseen", {
          number: handout.whole(data.unseen), score: data.score,
          mean: handout.decimal(data.unseenMean, 2),
        }) : "",
      ].join(" ")),
    );
  },
});
