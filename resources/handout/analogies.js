// A is to B as C is to …: answers by b − a + c.

const ANSWERS = 10;
let words = null;
let useThird = null;

function initial() {
  const [first] = handout.section("analogies").data.examples;
  return first ? [...first] : [-1, -1, -1];
}

handout.addView({
  key: "analogies",
  build(root) {
    words ??= initial();
    const answers = handout.element("div", {"aria-live": "polite"});
    const fields = ["first", "second", "third"].map((label, at) => handout.wordField({
      label: handout.text(label), value: words[at],
      choose(number) {
        words[at] = number;
        answer();
      },
    }));

    useThird = (number) => {
      words[2] = number;
      fields[2].set(number);
      answer();
    };

    function answer() {
      const {digits, size} = handout.vectors;
      if (words.some((number) => number < 0)) {
        answers.replaceChildren(handout.element("p", {class: "note"}, handout.text("three_words")));
        return;
      }
      const found = handout.vectors.analogy(...words, ANSWERS);
      if (!found) {
        answers.replaceChildren(handout.element("p", {}, handout.text("no_direction")));
        return;
      }
      answers.replaceChildren(
        handout.element("h3", {}, handout.text("answers_to", {
          words: words.map((number) => handout.words[number]).join(", "),
          c: handout.words[words[2]],
        })),
        handout.scoreList(found, {
          label: handout.text("answers"), digits,
          choose: (number) => handout.tell("word", number),
        }),
        handout.element("p", {class: "note"},
          handout.text("neighbours_note", {number: handout.whole(size)})),
      );
    }

    const {examples} = handout.section("analogies").data;
    root.append(
      handout.element("h2", {}, handout.text("analogies")),
      handout.element("p", {class: "note"}, handout.text("analogy_note")),
      handout.element(
        "div", {class: "question"}, ...fields.map((field) => field.root),
      ),
      examples.length > 1 ? handout.exampleButtons(examples, (example) => {
        words = [...example];
        fields.forEach((field, at) => field.set(words[at]));
        answer();
      }) : null,
      answers,
    );
    answer();
  },
});

handout.listen("analogy", (number) => {
  useThird(number);
  handout.open("analogies");
});
