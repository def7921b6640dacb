// The training of a lesson in the page: seed, loss, nearest words or the picture so far.

const PATIENCE = 40;
const NEAR = 8;
const section = handout.section("trainer");
let running = null;
let trained = null;

/** A picture of numbers [size × size]: black at the minimum, white at the maximum. */
function picture(values, title) {
  const size = Math.sqrt(values.length);
  const canvas = handout.element("canvas", {class: "picture", role: "img", "aria-label": title});
  canvas.width = canvas.height = size;
  paint(canvas, values);
  return handout.element(
    "figure", {}, canvas, handout.element("figcaption", {class: "note"}, title),
  );
}

function paint(canvas, values) {
  const known = [...values].filter(Number.isFinite).sort((one, other) => one - other);
  // The outermost hundredths would leave no contrast for the others.
  const low = known[Math.floor(known.length * 0.01)] ?? 0;
  const high = known[Math.ceil(known.length * 0.99) - 1] ?? 1;
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  values.forEach((value, at) => {
    const share = Math.min(Math.max((value - low) / (high - low || 1), 0), 1);
    const shade = Number.isFinite(value) ? Math.round(255 * share) : 128;
    image.data.set([shade, shade, shade, 255], 4 * at);
  });
  context.putImageData(image, 0, 0);
}

/** w·c of the rows and the columns of the picture. */
function products(trainer) {
  const {down, across} = section.arrays;
  const size = section.data.picture;
  return Float32Array.from({length: size * size}, (_, at) => {
    const [word, context] = [down[Math.floor(at / size)], across[at % size]];
    return word < 0 || context < 0 ? NaN : trainer.product(word, context);
  });
}

/** Correlation and mean difference of two lists, where both are numbers. */
function figures(values, wanted) {
  const both = [...values].map((value, at) => [value, wanted[at]]).filter(
    ([one, other]) => Number.isFinite(one) && Number.isFinite(other),
  );
  const mean = (at) => both.reduce((sum, pair) => sum + pair[at], 0) / both.length;
  const [first, second] = [mean(0), mean(1)];
  const sum = (f) => both.reduce((total, [one, other]) => total + f(one - first, other - second), 0);
  return {
    correlation: sum((x, y) => x * y) / Math.sqrt(sum((x) => x * x) * sum((_, y) => y * y)),
    offset: first - second,
  };
}

/** The nearest words of a word by the cosine of the vectors trained here. */
function nearest(trainer, word) {
  const {W, dim, size} = trainer;
  const length = (row) => Math.sqrt(W.subarray(row * dim, (row + 1) * dim).reduce(
    (sum, value) => sum + value * value, 0,
  ));
  const own = length(word);
  return Array.from({length: size}, (_, row) => {
    let sum = 0;
    for (let i = 0; i < dim; i += 1) {
      sum += W[row * dim + i] * W[word * dim + i];
    }
    return {row, score: sum / (length(row) * own)};
  }).filter(({row}) => row !== word).sort((one, other) => other.score - one.score).slice(0, NEAR);
}

/** The largest difference of a product from the program's. */
function difference(trainer) {
  const {rows, columns, products: programProducts} = section.arrays;
  return programProducts.reduce((most, value, pair) => Math.max(
    most, Math.abs(value - trainer.product(rows[pair], columns[pair])),
  ), 0);
}

function build() {
  const {data} = section;
  const seed = handout.element("input", {
    id: "train-seed", type: "number", min: "0", max: "4294967295", step: "1",
    inputmode: "numeric", value: trained?.seed ?? data.seed,
  });
  const loss = handout.element("p", {role: "status"});
  const curve = handout.element("div", {});
  const shown = handout.element("div", {});
  const bar = handout.element("progress", {max: "1", value: "0", hidden: true, "aria-label":
    handout.text("train_start")});
  const button = handout.element("button", {
    type: "button", class: "primary", on: {click: () => (running ? stop() : start())},
  }, handout.text("train_start"));

  function stop() {
    running = null;
    bar.hidden = true;
    button.textContent = handout.text("train_start");
  }

  function start() {
    const wanted = Math.min(Math.max(Math.trunc(Number(seed.value)) || 0, 0), 4294967295);
    seed.value = wanted;
    const trainer = handout.makeTrainer(wanted);
    trained = {trainer, seed: wanted, points: [], finished: false};
    running = trained;
    bar.hidden = false;
    button.textContent = handout.text("train_stop");
    let sum = 0;
    let pairs = 0;
    let due = 0.02;
    const frame = () => {
      if (running?.trainer !== trainer) {
        return;
      }
      const end = performance.now() + PATIENCE;
      let more = true;
      while (more && performance.now() < end) {
        const [lossBefore, pairsBefore] = [trainer.spent, trainer.seen];
        more = trainer.step();
        sum += trainer.spent - lossBefore;
        pairs += trainer.seen - pairsBefore;
        if (trainer.done >= due && pairs) {
          trained.points.push([trainer.done, sum / pairs]);
          [sum, pairs, due] = [0, 0, due + 0.02];
        }
      }
      bar.value = trainer.done;
      if (more) {
        update();
        setTimeout(frame, 0);
      } else {
        trained.finished = true;
        stop();
        update();
      }
    };
    frame();
  }

  function lossText() {
    const {trainer, points, finished} = trained;
    if (!finished) {
      return points.length ? handout.text("train_loss", {value: handout.decimal(points.at(-1)[1], 3)}) : "";
    }
    const values = {
      value: handout.decimal(trainer.meanLoss, 4), program: handout.decimal(data.loss, 4),
      seed: handout.whole(trained.seed), own: handout.whole(data.seed),
    };
    if (trained.seed !== data.seed) {
      return handout.text("train_other", values);
    }
    values.difference = handout.short(difference(trainer), 1);
    return handout.text("train_compare", values);
  }

  function update() {
    if (!trained) {
      return;
    }
    const {trainer, points, finished} = trained;
    loss.textContent = lossText();
    if (points.length > 1 && handout.lossCurve) {
      curve.replaceChildren(handout.lossCurve(
        points.map(([at]) => at), points.map(([, value]) => value),
        handout.text("loss_label", {
          first: handout.short(points[0][1]), last: handout.short(points.at(-1)[1]),
        }),
      ));
    }
    if (data.picture) {
      const values = products(trainer);
      const found = figures(values, section.arrays.pmi);
      shown.replaceChildren(
        handout.element(
          "div", {class: "pictures"},
          picture(section.arrays.pmi, handout.text("picture_wanted")),
          picture(values, handout.text("picture_seen")),
        ),
        handout.element("p", {}, handout.text("picture_figures", {
          correlation: handout.decimal(found.correlation, 3),
          offset: handout.decimal(found.offset, 2),
        })),
      );
    } else if (finished) {
      showNear();
    }
  }

  function showNear() {
    const {trainer} = trained;
    const id = "train-word";
    const field = handout.element("select", {
      id,
      on: {
        change() {
          trained.word = Number(field.value);
          showNear();
          shown.querySelector("select").focus();
        },
      },
    }, ...data.names.map((name, row) => handout.element("option", {value: row}, name)));
    trained.word ??= Math.min(Math.floor(data.names.length / 20), data.names.length - 1);
    field.value = trained.word;
    shown.replaceChildren(
      handout.element("div", {class: "field"}, handout.element("label", {for: id},
        handout.text("train_word")), field),
      handout.table(
        null, nearest(trainer, trained.word).map(({row, score}) => [
          handout.element("bdi", {dir: "auto"}, data.names[row]), handout.decimal(score, 3),
        ]), [1],
      ),
    );
  }

  const part = handout.element(
    "section", {class: "step"}, handout.element("h3", {}, handout.text("train_here")),
    handout.element("p", {}, handout.text("train_note", {
      tokens: handout.whole(data.tokens), words: handout.whole(data.names.length),
      dim: handout.whole(data.dim), negative: handout.whole(data.negative),
      epochs: handout.whole(data.epochs),
    })),
    handout.element("div", {class: "field puzzle"}, handout.element("label", {for: "train-seed"},
      handout.text("train_seed")), seed, button),
    bar, loss, curve, shown,
  );
  running = null;
  update();
  handout.trained = () => trained;
  return part;
}

if (section) {
  handout.trainer = {build, picture, nearest, figures, products, difference,
    wanted: section.arrays.pmi};
}
