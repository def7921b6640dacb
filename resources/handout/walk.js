// The word walk: a puzzle, the words on the way, and the words to go to.

const {data, arrays} = handout.section("walk");
const graph = new handout.walk.WalkGraph(arrays.near, data.words);
const HEATS = {
  there: "walk_there", hot: "walk_hot", warm: "walk_warm", cool: "walk_cool", cold: "walk_cold",
};
let game = null;
let shown = false;

function begin(number) {
  const puzzle = graph.puzzle(number);
  game = puzzle ? new handout.walk.Walk(graph, puzzle) : null;
  shown = false;
}

function names(words) {
  return words.map((number) => handout.words[number]).join(" → ");
}

handout.addView({
  key: "walk",
  build(root) {
    if (!game) {
      begin(1);
    }
    const play = handout.element("div", {class: "walk"});
    const number = handout.element("input", {
      id: "walk-number", type: "number", min: "1", max: "9999", step: "1", inputmode: "numeric",
      value: game.puzzle.number,
      on: {
        change() {
          const wanted = Math.trunc(Number(number.value));
          choose(Math.min(Math.max(Number.isFinite(wanted) ? wanted : 1, 1), 9999));
        },
      },
    });

    function choose(wanted) {
      number.value = wanted;
      begin(wanted);
      update();
    }

    function button(key, act, kind = "quiet") {
      return handout.element("button", {type: "button", class: kind, on: {click: act}},
        handout.text(key));
    }

    /** Draw the game; the first word to go to gets the focus, if it was in the game. */
    function update(focus = false) {
      const {start, target, steps} = game.puzzle;
      const place = handout.walk.rank(game.here, target, data.words);
      const kind = handout.walk.heat(place, data.words);
      const known = {word: handout.words[target], rank: handout.whole(place),
        number: handout.whole(data.words)};
      const ask = handout.element("p", {class: "ask"},
        handout.wordElement(start, "strong"), " → ", handout.wordElement(target, "strong"));
      const state = handout.element("div", {role: "status"},
        handout.element("p", {class: `heat ${kind}`}, handout.text(HEATS[kind])),
        game.done ? null : handout.element("p", {class: "note"}, handout.text("walk_rank", known)),
        handout.element("p", {class: "path", dir: "auto"}, names(game.path)));
      play.replaceChildren(ask, state);
      if (game.done) {
        play.append(handout.element("p", {class: "answer"}, handout.text(
          game.moves === steps ? "walk_best" : "walk_done",
          {moves: handout.whole(game.moves), steps: handout.whole(steps)},
        )));
      } else {
        const list = handout.element("ul", {class: "steps", "aria-label": handout.text("walk_go")});
        list.append(...graph.offered(game.here).map((word) => handout.element(
          "li", {}, handout.element("button", {
            type: "button", on: {
              click() {
                game.step(word);
                update(true);
              },
            },
          }, handout.wordElement(word)),
        )));
        play.append(handout.element("h3", {}, handout.text("walk_go")), list);
      }
      if (shown || (game.done && game.moves > steps)) {
        play.append(handout.element("p", {class: "note"}, handout.text("walk_way", {
          words: names(graph.shortest(start, target)),
        })));
      }
      const again = button("walk_next", () => choose(game.puzzle.number % 9999 + 1),
        game.done ? "primary" : "quiet");
      play.append(
        handout.element("p", {class: "note"}, handout.text("walk_moves", {
          moves: handout.whole(game.moves), steps: handout.whole(steps),
        })),
        handout.element("div", {class: "examples"},
          game.done || game.path.length < 2 ? null : button("walk_back", () => {
            game.back();
            update(true);
          }),
          game.done || shown ? null : button("walk_show", () => {
            shown = true;
            update(true);
          }),
          again),
      );
      if (focus) {
        (play.querySelector(".steps button") ?? again).focus({preventScroll: true});
      }
    }

    root.append(
      handout.element("h2", {}, handout.text("walk")),
      handout.element("p", {class: "note"}, handout.text("walk_note", {
        number: handout.whole(data.words), options: handout.whole(graph.options),
      })),
      handout.element("div", {class: "field puzzle"},
        handout.element("label", {for: "walk-number"}, handout.text("walk_puzzle")), number),
      play,
    );
    update();
    handout.walk.game = () => game;
  },
});
