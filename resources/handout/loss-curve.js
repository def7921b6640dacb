// The curve of a loss.

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 56;
const BOTTOM = 36;
const TOP = 10;
const RIGHT = 24;
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
  const x = (value) => LEFT + value * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM -
    (value - low + room) / (high - low + 2 * room) * (HEIGHT - BOTTOM - TOP);
  const figure = drawn("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "curve",
  });
  for (const value of handout.ticks(low - room, high + room)) {
    figure.append(
      drawn("line", {class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value)}),
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

handout.lossCurve = lossCurve;
