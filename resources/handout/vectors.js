// Cosines from quantised unit vectors: row i is scales[i] * values[i * dim … (i + 1) * dim).

const {data, arrays} = handout.section("vectors");
const {values, scales} = arrays;
const size = data.words;
const dim = values.length / size;

/** Numbers and scores of the k best of scores [size], the lower number first of equal ones. */
function best(scores, k, excluded) {
  const numbers = [];
  for (let at = 0; at < size; at += 1) {
    const score = scores[at];
    if (numbers.length === k && !(score > scores[numbers[k - 1]])) {
      continue;
    }
    if (scales[at] === 0 || excluded.includes(at)) {
      continue;
    }
    let place = Math.min(numbers.length, k - 1);
    while (place > 0 && scores[numbers[place - 1]] < score) {
      numbers[place] = numbers[place - 1];
      place -= 1;
    }
    numbers[place] = at;
  }
  return numbers.map((number) => ({number, score: scores[number]}));
}

/** The vector of a word, Float64Array(dim). */
function vector(number) {
  const found = new Float64Array(dim);
  for (let i = 0; i < dim; i += 1) {
    found[i] = values[number * dim + i] * scales[number];
  }
  return found;
}

/** The products of all vectors with a query, Float64Array(size). */
function products(query) {
  const found = new Float64Array(size);
  for (let at = 0, start = 0; at < size; at += 1, start += dim) {
    let sum = 0;
    for (let i = 0; i < dim; i += 1) {
      sum += values[start + i] * query[i];
    }
    found[at] = sum * scales[at];
  }
  return found;
}

function cosine(one, other) {
  let sum = 0;
  for (let i = 0; i < dim; i += 1) {
    sum += values[one * dim + i] * values[other * dim + i];
  }
  return sum * scales[one] * scales[other];
}

/** The k nearest words of a word, best first: [{number, score}]. */
function nearest(number, k) {
  return best(products(vector(number)), k, [number]);
}

/** The k best answers to b − a + c without the three, by cosine; null without a direction. */
function analogy(a, b, c, k) {
  const [left, right, third] = [a, b, c].map(vector);
  const query = right.map((value, i) => value - left[i] + third[i]);
  const length = Math.hypot(...query);
  if (!(length > 1e-6)) {
    return null;
  }
  return best(products(query.map((value) => value / length)), k, [a, b, c]);
}

/** The mean cosine of each of some words to the others, and the index of the lowest. */
function oddOneOut(numbers) {
  const means = numbers.map((one, at) => {
    const others = numbers.filter((_, place) => place !== at);
    return others.reduce((sum, other) => sum + cosine(one, other), 0) / others.length;
  });
  return {means, odd: means.indexOf(Math.min(...means))};
}

handout.vectors = {
  size, dim, nearest, analogy, oddOneOut, cosine,
  digits: data.digits, bound: data.bound, counts: arrays.counts,
};
