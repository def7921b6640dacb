// Rules of the word walk, as in workbench/analysis/walk/word_walk.py: a test compares both.

const LENGTHS = [3, 4, 5];
const TRIES = 100;
const HEATS = [["hot", 1], ["warm", 5], ["cool", 20]];
const LEAST = 300;

/** A whole number from 0 to below − 1 that looks random. */
function draw(number, attempt, below) {
  let mixed = (Math.imul(number, 0x9e3779b1) + Math.imul(attempt, 0x85ebca77)) >>> 0;
  mixed ^= mixed >>> 16;
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  mixed ^= mixed >>> 16;
  return Math.floor((mixed >>> 0) * below / 4294967296);
}

/** The graph of words: near is [size × options], the nearest words of each, best first. */
class WalkGraph {
  constructor(near, size) {
    this.near = near;
    this.size = size;
    this.options = near.length / size;
    // The words that offer each word, one after another.
    this.ends = new Uint32Array(size + 1);
    for (const word of near) {
      this.ends[word + 1] += 1;
    }
    for (let word = 0; word < size; word += 1) {
      this.ends[word + 1] += this.ends[word];
    }
    this.from = new Uint32Array(near.length);
    const places = this.ends.slice();
    near.forEach((word, at) => {
      this.from[places[word]] = Math.floor(at / this.options);
      places[word] += 1;
    });
  }

  offered(word) {
    return [...this.near.subarray(word * this.options, (word + 1) * this.options)];
  }

  /** Number of steps of a shortest walk from each word to the target, −1 if none exists. */
  stepsTo(target) {
    const steps = new Int32Array(this.size).fill(-1);
    const queue = [target];
    steps[target] = 0;
    for (let at = 0; at < queue.length; at += 1) {
      const word = queue[at];
      for (let place = this.ends[word]; place < this.ends[word + 1]; place += 1) {
        const before = this.from[place];
        if (steps[before] < 0) {
          steps[before] = steps[word] + 1;
          queue.push(before);
        }
      }
    }
    return steps;
  }

  /** A shortest walk: of the words that are on one, always the nearest; [] if none exists. */
  shortest(start, target) {
    const steps = this.stepsTo(target);
    if (steps[start] < 0) {
      return [];
    }
    const path = [start];
    for (let here = start; here !== target; path.push(here)) {
      const left = steps[here] - 1;
      here = this.offered(here).find((word) => steps[word] === left);
    }
    return path;
  }

  /** The puzzle with a number from 1: {number, start, target, steps}; null if there is none. */
  puzzle(number) {
    const first = Math.floor(this.size / 20);
    const last = Math.max(Math.floor(this.size / 2), first + 1);
    for (let wanted = LENGTHS[(number - 1) % LENGTHS.length]; wanted > 1; wanted -= 1) {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const target = first + draw(number, attempt, last - first);
        const apart = this.stepsTo(target);
        const found = [];
        for (let word = first; word < this.size; word += 1) {
          if (apart[word] === wanted) {
            found.push(word);
          }
        }
        if (found.length) {
          return {number, start: found[draw(number, TRIES, found.length)], target, steps: wanted};
        }
      }
    }
    return null;
  }
}

/** A game that is being played: path from the start on, and moves with those taken back. */
class Walk {
  constructor(graph, puzzle) {
    this.graph = graph;
    this.puzzle = puzzle;
    this.path = [puzzle.start];
    this.moves = 0;
  }

  get here() {
    return this.path[this.path.length - 1];
  }

  get done() {
    return this.here === this.puzzle.target;
  }

  step(word) {
    if (!this.done && this.graph.offered(this.here).includes(word)) {
      this.path.push(word);
      this.moves += 1;
    }
  }

  /** Going back is a move, too. */
  back() {
    if (this.path.length > 1 && !this.done) {
      this.path.pop();
      this.moves += 1;
    }
  }
}

/** The place of a word by its cosine with the target, from 1; 0 for the target itself. */
function rank(word, target, size) {
  if (word === target) {
    return 0;
  }
  const own = handout.vectors.cosine(word, target);
  let place = 1;
  for (let other = 0; other < size; other += 1) {
    if (other !== target && handout.vectors.cosine(other, target) > own) {
      place += 1;
    }
  }
  return place;
}

function heat(place, size) {
  if (place === 0) {
    return "there";
  }
  const found = HEATS.find(([, percent]) => 100 * place <= percent * Math.max(size, LEAST));
  return found ? found[0] : "cold";
}

handout.walk = {draw, WalkGraph, Walk, rank, heat};
