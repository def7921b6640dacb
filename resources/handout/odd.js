// The odd one out of some words.

const MOST = 12;
let words = null;

handout.addView({
  key: "odd",
  build(root) {
    const {examples} = handout.section("odd").data;
    words ??= examples.length ? [...examples[0]] : [];
    const chips = handout.element("ul", {class: "chips"});
    const answer = handout.element("div", {"aria-live": "polite"});
    const field = handout.wordField({
      label: handout.text("odd_words"), clears: true,
      choose(number) {
        if (number >= 0 && !words.includes(number) && words.length < MOST) {
          words.push(number);
          update();
        }
      },
    });

    function chip(number) {
      const button = handout.element("button", {
        type: "button", "aria-label": handout.text("remove", {word: handout.words[number]}),
        on: {
          click() {
            words = words.filter((other) => other !== number);
            update();
            field.input.focus();
          },
        },
      }, "×");
      const item = handout.element("li", {});
      item.append(handout.wordElement(number), button);
      return item;
    }

    function update() {
      chips.replaceChildren(...words.map(chip));
      answer.replaceChildren();
      if (words.length < 3) {
        return;
      }
      const {means, odd} = handout.vectors.oddOneOut(words);
      const order = words.map((number, at) => ({number, score: means[at]}));
      order.sort((one, other) => one.score - other.score);
      answer.append(
        handout.element("p", {class: "answer"}, handout.text("odd_answer", {
          word: handout.words[words[odd]],
        })),
      );
      const margin = order[1].score - order[0].score;
      if (margin < Math.max(handout.vectors.bound, 0.02)) {
        answer.append(handout.element("p", {class: "note"}, handout.text("odd_close", {
          margin: handout.decimal(margin, handout.vectors.digits),
        })));
      }
      answer.append(
        handout.element("h3", {}, handout.text("odd_mean")),
        handout.scoreList(order, {
          label: handout.text("odd_mean"), digits: handout.vectors.digits,
          choose: (number) => handout.tell("word", number),
        }),
      );
    }

    root.append(
      handout.element("h2", {}, handout.text("odd")),
      handout.element("p", {class: "note"}, handout.text("odd_note")),
      chips, field.root,
      examples.length > 1 ? handout.exampleButtons(examples, (example) => {
        words = [...example];
        update();
      }) : null,
      answer,
    );
    update();
  },
});
