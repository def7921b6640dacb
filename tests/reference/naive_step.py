"""A training step repeated in plain Python from the table that the workbench saves of the step.
Shares no code with the workbench.
"""

import csv
import io
import math
from typing import Any


def read(text):
    """The saved table: its step, lines, pairs, joining, cell, and vectors {(table, word): {part:
    numbers}}.
    """
    parts: dict[str, Any] = {"lines": [], "pairs": [], "vectors": {}, "joining": None, "cell": None}
    for row in list(csv.reader(io.StringIO(text)))[1:]:
        part, table, word, other = row[:4]
        numbers = [float(cell) for cell in row[9:] if cell]
        if part == "step":
            parts["step"] = {"algorithm": table, "loss": float(row[8]), "rate": numbers[0]}
        elif part == "joining":
            parts["joining"] = numbers
        elif part.startswith("line"):
            parts["lines"].append((part.removeprefix("line: "), word, *numbers))
        elif part == "pair":
            parts["pairs"].append((table, word, other, int(row[4]), *map(float, row[5:9])))
        elif part == "cell":
            parts["cell"] = (word, other, *numbers)
        else:
            parts["vectors"].setdefault((table, word), {})[part] = numbers
    return parts


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def sigma(x):
    return 1 / (1 + math.exp(-x))


def pair_loss(x, label):
    return math.log1p(math.exp(-x if label else x))


def loss_of(content, vectors):
    """The loss of the step with other vectors: {(table, word): [...]}."""
    if content["cell"] is not None:
        w, c, count, weight = content["cell"][:4]
        x = dot(vectors["inputs", w], vectors["contexts", c])
        difference = x + vectors["biases", w][0] + vectors["context_biases", c][0] - math.log(count)
        return 0.5 * weight * difference**2
    total = 0.0
    for table, word, other, label, *_ in content["pairs"]:
        side = vectors["hidden", "h"] if content["joining"] else vectors["inputs", word]
        total += pair_loss(dot(side, vectors[table, other]), label)
    return total


def replay(content):
    """{(table, word): vector after the step} and the loss, computed from the vectors before."""
    before = {key: values["before"] for key, values in content["vectors"].items()}
    rate = content["step"]["rate"]
    if content["cell"] is not None:
        return replay_cell(content, before, rate)
    around = [word for part, word, *_ in content["lines"] if part == "window"]
    if content["joining"]:
        scale, share = content["joining"]
        size = len(next(iter(before.values())))
        before["hidden", "h"] = [
            scale * math.fsum(before["inputs", word][t] for word in around) for t in range(size)
        ]
    steps = {key: [0.0] * len(vector) for key, vector in before.items()}
    loss = 0.0
    for table, word, other, label, *_ in content["pairs"]:
        side, output = ("hidden", "h") if content["joining"] else ("inputs", word), (table, other)
        x = dot(before[side], before[output])
        loss += pair_loss(x, label)
        slope = sigma(x) - label
        for t in range(len(before[side])):
            steps[side][t] += slope * before[output][t]
            steps[output][t] += slope * before[side][t]
    if content["joining"]:
        for word in around:
            for t, value in enumerate(steps["hidden", "h"]):
                steps["inputs", word][t] += share * value
        del before["hidden", "h"]
    after = {
        key: [x - rate * g for x, g in zip(vector, steps[key], strict=True)]
        for key, vector in before.items()
    }
    return after, loss


def replay_cell(content, before, rate):
    w, c, count, weight = content["cell"][:4]
    x = dot(before["inputs", w], before["contexts", c])
    difference = x + before["biases", w][0] + before["context_biases", c][0] - math.log(count)
    pull = weight * difference
    gradients = {
        ("inputs", w): [pull * value for value in before["contexts", c]],
        ("contexts", c): [pull * value for value in before["inputs", w]],
        ("biases", w): [pull],
        ("context_biases", c): [pull],
    }
    after = {}
    for key, gradient in gradients.items():
        bias = key[0].endswith("biases")
        sums, new_values, new_sums = content["vectors"][key]["sums"], [], []
        for value, slope, total in zip(before[key], gradient, sums, strict=True):
            step = slope if bias else rate * max(-100.0, min(100.0, slope))
            new_values.append(value - step / math.sqrt(total))
            new_sums.append(total + step**2)
        after[key] = new_values
        content["vectors"][key]["replayed sums"] = new_sums
    return after, 0.5 * weight * difference**2
