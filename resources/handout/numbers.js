// Numbers as people of the chosen language write them.

const MINUS = "\u2212";
const NARROW_BLANK = "\u202f";

function localised(digits) {
  let [whole, rest] = digits.replace("-", MINUS).split(".");
  const comma = handout.language() === "de";
  whole = whole.replace(/\B(?=(\d{3})+$)/g, comma ? NARROW_BLANK : ",");
  return rest === undefined ? whole : whole + (comma ? "," : ".") + rest;
}

/** A number with this number of decimals; "–" for one that isn't known. */
function decimal(value, digits) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return "–";
  }
  const shown = value.toFixed(digits);
  // No "−0.00".
  return localised(Number(shown) === 0 ? shown.replace("-", "") : shown);
}

function whole(value) {
  return Number.isFinite(value) ? localised(String(value)) : "–";
}

/** A number with about this many significant digits, as settings are written. */
function short(value, digits = 4) {
  return Number.isFinite(value) ? localised(String(Number(value.toPrecision(digits)))) : "–";
}

/** A bound with one digit, rounded up. */
function bound(value) {
  const unit = value > 0 ? 10 ** Math.floor(Math.log10(value)) : 1;
  // The quotient of a round number may be a little too large.
  return short(Math.ceil(value / unit - 1e-9) * unit, 1);
}

/** About `most` round numbers from low to high. */
function ticks(low, high, most = 5) {
  let step = 10 ** Math.floor(Math.log10(Math.max(high - low, 1e-300) / (most - 1)));
  for (const factor of [1, 2, 5, 10]) {
    if ((high - low) / (step * factor) <= most) {
      step *= factor;
      break;
    }
  }
  const found = [];
  for (let at = Math.ceil(low / step); at <= Math.floor(high / step); at += 1) {
    found.push(Number((at * step).toPrecision(6)));
  }
  return found;
}

Object.assign(handout, {decimal, whole, short, bound, ticks});
