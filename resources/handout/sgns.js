// Skip-gram with negative sampling, as in workbench/models/predict/sgns.py: the same random numbers,
// the same order of windows, and the same updates. Only sums are rounded differently.

const PARTS = 40;
const PIECE = 1000;
const AHEAD = 256;
const FULL = 4294967295;
const LEAST_RATE = 1e-4;

/** Every number below `units` once: of each PARTS neighbours, one is in every part of the order. */
function fairOrder(units, random) {
  const strata = Math.ceil(units / PARTS);
  const rows = Array.from({length: strata}, (_, row) => random.shuffle(
    Array.from({length: PARTS}, (_unused, at) => {
      const number = row * PARTS + at;
      return number < units ? number : -1;
    }),
  ));
  const order = [];
  for (let part = 0; part < PARTS; part += 1) {
    order.push(...random.shuffle(rows.map((row) => row[part])));
  }
  return order.filter((number) => number >= 0);
}

class SgnsTrainer {
  /**
   * text: {ids, sentences, keep, reach, threshold, alias, edges}, typed arrays; how: {dim,
   * negative, rate, epochs, scale, windows, slices}; seed: a whole number
   */
  constructor(text, how, seed) {
    Object.assign(this, text, how);
    this.tokens = this.ids.length;
    this.total = this.tokens * this.epochs;
    this.size = this.keep.length;
    const {SeedSequence, Pcg64, SplitMix} = handout.random;
    const random = new Pcg64(new SeedSequence(seed));
    this.W = new Float32Array(this.size * this.dim);
    for (let at = 0; at < this.W.length; at += 1) {
      const spread = Math.fround(Math.fround(random.float() - 0.5) / this.dim);
      this.W[at] = Math.fround(spread * Math.fround(this.scale));
    }
    this.C = new Float32Array(this.size * this.dim);
    this.state = new SplitMix(new SeedSequence(seed, [0]).state(1)[0]);
    this.shuffled = new Pcg64(new SeedSequence(seed, [1]));
    this.epoch = 0;
    this.order = [];
    this.before = this.start = this.stop = this.position = this.sentence = 0;
    this.window = this.length = 0;
    this.words = new Int32Array(AHEAD + PIECE);
    this.starts = new Int32Array(AHEAD + PIECE);
    this.ends = new Int32Array(AHEAD + PIECE);
    this.inputs = new Int32Array(2 * this.reach.length);
    this.outputs = new Int32Array(1 + this.negative);
    this.ahead = new Int32Array(1 + this.negative);
    this.Z = new Float64Array(this.inputs.length * this.outputs.length);
    this.Y = new Float64Array(this.outputs.length * this.dim);
    const units = this.slices * (this.edges.length - 1);
    this.losses = new Float64Array(units);
    this.terms = new Float64Array(units);
    this.loss = this.pairs = 0;
    // Sums over the whole training, for a curve.
    this.spent = this.seen = 0;
  }

  /** The share of the training that is done. */
  get done() {
    const read = Math.max(this.position - this.start - (this.length - this.window), 0);
    return (this.before + read) / this.total;
  }

  get atEnd() {
    return this.position >= this.stop && this.window >= this.length;
  }

  get slice() {
    const read = this.position - (this.length - this.window) - this.start;
    return Math.min(
      this.slices - 1, Math.floor(read * this.slices / Math.max(this.stop - this.start, 1)),
    );
  }

  /** The mean loss of a pair over the latest visit of all parts of the text, in nats. */
  get meanLoss() {
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    return sum(this.losses) / sum(this.terms);
  }

  nextSegment() {
    if (!this.order.length) {
      if (this.epoch === this.epochs) {
        return false;
      }
      this.epoch += 1;
      this.order = fairOrder(this.edges.length - 1, this.shuffled);
    }
    this.segment = this.order.shift();
    this.before += this.stop - this.start;
    this.start = this.position = this.edges[this.segment];
    this.stop = this.edges[this.segment + 1];
    this.window = this.length = 0;
    let low = 0;
    let high = this.sentences.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.sentences[middle] <= this.start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    this.sentence = low - 1;
    return true;
  }

  /** Train on some windows; false after the last. */
  step() {
    if (this.atEnd && !this.nextSegment()) {
      return false;
    }
    const place = this.slice;
    const unit = this.slices * this.segment + place;
    this.trainWindows(this.rate * (1 - this.done));
    if (this.atEnd || place !== this.slice) {
      if (this.pairs > 0) {
        this.losses[unit] = this.loss;
        this.terms[unit] = this.pairs;
      }
      this.loss = this.pairs = 0;
    }
    return true;
  }

  readPiece(begin) {
    const sentenceEnd = this.sentences[this.sentence + 1];
    const last = Math.min(sentenceEnd, this.stop);
    let end = begin;
    while (this.position < last && end < begin + PIECE) {
      const word = this.ids[this.position];
      this.position += 1;
      if (word >= this.size) {
        continue;
      }
      const kept = this.keep[word];
      if (kept !== FULL) {
        this.state.next();
        if (this.state.high > kept) {
          continue;
        }
      }
      this.words[end] = word;
      end += 1;
    }
    if (this.position >= sentenceEnd) {
      this.sentence += 1;
    }
    this.starts.fill(begin, begin, end);
    this.ends.fill(end, begin, end);
    return end;
  }

  readPieces() {
    let end = 0;
    while (end < AHEAD && this.position < this.stop) {
      end = this.readPiece(end);
    }
    return end;
  }

  drawNoise() {
    for (let at = 1; at < this.ahead.length; at += 1) {
      this.state.next();
      const column = Math.floor(this.state.high * this.size / 4294967296);
      this.ahead[at] = this.state.low < this.threshold[column] ? column : this.alias[column];
    }
  }

  trainWindows(rate) {
    const fall = this.rate / this.total;
    const least = this.rate * LEAST_RATE;
    const begin = this.position - (this.length - this.window);
    let left = this.windows;
    this.drawNoise();
    while (left > 0) {
      if (this.window >= this.length) {
        this.window = 0;
        this.length = this.readPieces();
        if (this.length === 0) {
          return;
        }
      }
      const last = Math.min(this.ends[this.window], this.window + left);
      left -= last - this.window;
      const next = this.position - (this.length - this.window);
      const now = Math.max(rate - fall * (next - begin), least);
      for (let centre = this.window; centre < last; centre += 1) {
        this.trainWindow(centre, Math.fround(now));
      }
      this.window = last;
    }
  }

  trainWindow(centre, rate) {
    const {state, reach, words, inputs, outputs} = this;
    state.next();
    let radius = 1;
    while (radius < reach.length && state.high <= reach[radius]) {
      radius += 1;
    }
    const first = Math.max(this.starts[centre], centre - radius);
    const last = Math.min(this.ends[centre], centre + radius + 1);
    let m = 0;
    for (let at = first; at < last; at += 1) {
      if (at !== centre) {
        inputs[m] = words[at];
        m += 1;
      }
    }
    outputs.set(this.ahead);
    outputs[0] = words[centre];
    this.drawNoise();
    if (m) {
      this.update(m, rate);
    }
  }

  /** One step for m inputs and all outputs: all gradients are taken before the vectors move. */
  update(m, rate) {
    const {W, C, Y, Z, dim, inputs, outputs} = this;
    const n = outputs.length;
    for (let b = 0; b < n; b += 1) {
      const row = outputs[b] * dim;
      for (let i = 0; i < dim; i += 1) {
        Y[b * dim + i] = C[row + i];
      }
    }
    for (let a = 0; a < m; a += 1) {
      const row = inputs[a] * dim;
      for (let b = 0; b < n; b += 1) {
        let score = 0;
        for (let i = 0; i < dim; i += 1) {
          score += W[row + i] * Y[b * dim + i];
        }
        const sign = b === 0 ? -1 : 1;
        const t = sign * score;
        const u = Math.exp(-Math.abs(t));
        Z[a * n + b] = -rate * sign * (t >= 0 ? 1 : u) / (1 + u);
        const lost = Math.max(t, 0) + Math.log1p(u);
        this.loss += lost;
        this.spent += lost;
      }
    }
    this.pairs += m;
    this.seen += m;
    for (let b = 0; b < n; b += 1) {
      const row = outputs[b] * dim;
      for (let i = 0; i < dim; i += 1) {
        let move = 0;
        for (let a = 0; a < m; a += 1) {
          move += Z[a * n + b] * W[inputs[a] * dim + i];
        }
        C[row + i] += move;
      }
    }
    for (let a = 0; a < m; a += 1) {
      const row = inputs[a] * dim;
      for (let i = 0; i < dim; i += 1) {
        let move = 0;
        for (let b = 0; b < n; b += 1) {
          move += Z[a * n + b] * Y[b * dim + i];
        }
        W[row + i] += move;
      }
    }
  }

  /** w·c of two words. */
  product(word, context) {
    let sum = 0;
    for (let i = 0; i < this.dim; i += 1) {
      sum += this.W[word * this.dim + i] * this.C[context * this.dim + i];
    }
    return sum;
  }
}

handout.sgns = {SgnsTrainer, fairOrder};

/** A trainer of the lesson's text, before its first step. */
handout.makeTrainer = (seed) => {
  const {data, arrays} = handout.section("trainer");
  const {keep, reach, threshold, alias, edges, ids, lengths} = arrays;
  const all = lengths.length > 1;
  const number = all ? lengths.length : ids.length / lengths[0];
  const sentences = new Uint32Array(number + 1);
  for (let at = 0; at < number; at += 1) {
    sentences[at + 1] = sentences[at] + lengths[all ? at : 0];
  }
  return new SgnsTrainer({ids, sentences, keep, reach, threshold, alias, edges}, data, seed);
};
