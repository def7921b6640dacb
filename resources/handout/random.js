// The generators of random numbers of the program: numpy's SeedSequence and PCG64, and splitmix64.

const MASK = (1n << 128n) - 1n;
const WORD = (1n << 64n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

/** numpy's SeedSequence(seed, spawn_key=key): `state(n)` are n numbers of 64 bits, as BigInt. */
class SeedSequence {
  constructor(seed, key = []) {
    const entropy = seed > 0xffffffff ? [seed % 4294967296, Math.floor(seed / 4294967296)] : [seed];
    while (key.length && entropy.length < 4) {
      entropy.push(0);
    }
    entropy.push(...key);
    let constant = 0x43b0d7e5;
    const hash = (value) => {
      value ^= constant;
      constant = Math.imul(constant, 0x931e8875);
      value = Math.imul(value, constant);
      return (value ^ (value >>> 16)) >>> 0;
    };
    const mix = (one, other) => {
      const mixed = (Math.imul(one, 0xca01f9dd) - Math.imul(other, 0x4973f715)) | 0;
      return (mixed ^ (mixed >>> 16)) >>> 0;
    };
    this.pool = [0, 1, 2, 3].map((at) => hash(entropy[at] ?? 0));
    for (let from = 0; from < 4; from += 1) {
      for (let to = 0; to < 4; to += 1) {
        if (from !== to) {
          this.pool[to] = mix(this.pool[to], hash(this.pool[from]));
        }
      }
    }
    for (const further of entropy.slice(4)) {
      for (let to = 0; to < 4; to += 1) {
        this.pool[to] = mix(this.pool[to], hash(further));
      }
    }
  }

  state(number) {
    let constant = 0x8b51f9dd;
    const halves = Array.from({length: 2 * number}, (_, at) => {
      let value = this.pool[at % 4] ^ constant;
      constant = Math.imul(constant, 0x58f38ded);
      value = Math.imul(value, constant);
      return BigInt((value ^ (value >>> 16)) >>> 0);
    });
    return Array.from({length: number}, (_, at) => halves[2 * at] | halves[2 * at + 1] << 32n);
  }
}

/** numpy's PCG64 (O'Neill 2014): the generator of default_rng. */
class Pcg64 {
  constructor(sequence) {
    const [high, low, streamHigh, streamLow] = sequence.state(4);
    this.increment = ((streamHigh << 64n | streamLow) << 1n | 1n) & MASK;
    this.state = 0n;
    this.advance();
    this.state = (this.state + (high << 64n | low)) & MASK;
    this.advance();
    this.half = -1;
  }

  advance() {
    this.state = (this.state * MULTIPLIER + this.increment) & MASK;
  }

  /** The next 32 bits: the lower half of 64 first. */
  next() {
    if (this.half >= 0) {
      const kept = this.half;
      this.half = -1;
      return kept;
    }
    this.advance();
    const mixed = (this.state >> 64n) ^ (this.state & WORD);
    const turn = this.state >> 122n;
    const turned = (mixed >> turn | mixed << (64n - turn)) & WORD;
    this.half = Number(turned >> 32n);
    return Number(turned & 0xffffffffn);
  }

  /** A float32 from 0 to 1. */
  float() {
    return (this.next() >>> 8) / 16777216;
  }

  /** A whole number from 0 to most, inclusive: the first that is small enough, of as many bits. */
  upTo(most) {
    if (most === 0) {
      return 0;
    }
    const shift = Math.clz32(most);
    let drawn = this.next() << shift >>> shift;
    while (drawn > most) {
      drawn = this.next() << shift >>> shift;
    }
    return drawn;
  }

  /** Shuffle an array in place, as Generator.permuted does each row. */
  shuffle(row) {
    for (let at = row.length - 1; at > 0; at -= 1) {
      const other = this.upTo(at);
      [row[at], row[other]] = [row[other], row[at]];
    }
    return row;
  }
}

/** splitmix64 (Steele, Lea & Flood 2014); `next` leaves the halves of 64 bits in high and low. */
class SplitMix {
  constructor(state) {
    this.stateHigh = Number(state >> 32n);
    this.stateLow = Number(state & 0xffffffffn);
    this.high = 0;
    this.low = 0;
  }

  next() {
    const low = this.stateLow + 0x7f4a7c15;
    this.stateHigh = (this.stateHigh + 0x9e3779b9 + (low > 0xffffffff ? 1 : 0)) >>> 0;
    this.stateLow = low >>> 0;
    this.high = this.stateHigh;
    this.low = this.stateLow;
    this.fold(30);
    this.multiply(0xbf58476d, 0x1ce4e5b9);
    this.fold(27);
    this.multiply(0x94d049bb, 0x133111eb);
    this.fold(31);
  }

  /** z ^= z >> bits */
  fold(bits) {
    this.low = (this.low ^ (this.low >>> bits | this.high << (32 - bits))) >>> 0;
    this.high = (this.high ^ this.high >>> bits) >>> 0;
  }

  /** z *= a number of 64 bits, by halves of 16 bits, whose products are exact. */
  multiply(high, low) {
    const [a0, a1, b0, b1] = [this.low & 0xffff, this.low >>> 16, low & 0xffff, low >>> 16];
    const first = a0 * b0;
    const middle = a0 * b1 + a1 * b0 + Math.floor(first / 65536);
    const upper = a1 * b1 + Math.floor(middle / 65536) +
      Math.imul(this.high, low) + Math.imul(this.low, high);
    this.low = ((middle & 0xffff) << 16 | first & 0xffff) >>> 0;
    this.high = upper >>> 0;
  }
}

handout.random = {SeedSequence, Pcg64, SplitMix};
