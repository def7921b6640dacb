// Places of names on the map: no two overlap, and earlier ones come first.

/** Room in a window of this size, taken one box at a time. */
class NameRoom {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.cell = 48;
    this.columns = Math.ceil(width / this.cell) + 1;
    this.taken = new Map();
  }

  cells(box) {
    const found = [];
    const last = Math.floor(box.bottom / this.cell);
    for (let row = Math.floor(box.top / this.cell); row <= last; row += 1) {
      const end = Math.floor(box.right / this.cell);
      for (let column = Math.floor(box.left / this.cell); column <= end; column += 1) {
        found.push(row * this.columns + column);
      }
    }
    return found;
  }

  /** Whether a box is inside the window and free. */
  free(box) {
    if (box.left < 0 || box.top < 0 || box.right > this.width || box.bottom > this.height) {
      return false;
    }
    return this.cells(box).every((cell) => (this.taken.get(cell) ?? []).every((other) => (
      box.left >= other.right || box.right <= other.left ||
      box.top >= other.bottom || box.bottom <= other.top
    )));
  }

  take(box) {
    for (const cell of this.cells(box)) {
      if (!this.taken.has(cell)) {
        this.taken.set(cell, []);
      }
      this.taken.get(cell).push(box);
    }
  }

  /** Take the first free one of some boxes; null if none is free. */
  place(boxes) {
    const box = boxes.find((one) => this.free(one)) ?? null;
    if (box !== null) {
      this.take(box);
    }
    return box;
  }
}

/** Boxes for a name beside a dot: right, left, above, below. */
function besides(x, y, width, height, away) {
  const box = (left, top) => ({left, top, right: left + width, bottom: top + height});
  return [
    box(x + away, y - height / 2), box(x - away - width, y - height / 2),
    box(x - width / 2, y - away - height), box(x - width / 2, y + away),
  ];
}

/** Boxes for a name over its place, moved a little if that is taken. */
function around(x, y, width, height) {
  const found = [];
  for (const [across, down] of [[0, 0], [0, 1], [0, -1], [0.4, 1], [-0.4, 1], [0.4, -1],
    [-0.4, -1], [0, 2], [0, -2]]) {
    const left = x - width / 2 + across * width;
    const top = y - height / 2 + down * height;
    found.push({left, top, right: left + width, bottom: top + height});
  }
  return found;
}

Object.assign(handout, {NameRoom, besides, around});
