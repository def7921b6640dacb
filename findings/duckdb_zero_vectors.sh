#!/usr/bin/env bash
# In DuckDB 2.0.1 the cosine with a vector of zeros is NaN, which is larger than all numbers there: sorted by
# array_cosine_similarity, largest first, rows of zeros are the nearest neighbours of every word, and max() is NaN. Sorted
# by array_cosine_distance they are last. polars 2.1.0 also sorts NaN above all numbers, but its max() leaves it out.
# Guess: a cosine of 0 or NULL, and the same order by similarity and by distance.
# Seen: nearest to a by similarity zero, a, b; by distance a, b, zero; polars top_k NaN, max 2.0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --target "$folder" duckdb==2.0.1 polars==2.1.0
PYTHONPATH="$folder" python3 - <<'PYTHON'
import math

import duckdb
import polars

base = duckdb.connect()
base.execute("create table words (word varchar, vector float[2])")
base.execute("insert into words values ('a', [1, 0]), ('b', [1, 1]), ('zero', [0, 0])")


def nearest(score, order):
    call = f"array_cosine_{score}(vector, [1, 0]::float[2])"
    return base.execute(f"select word, {call} from words order by {call} {order}").fetchall()


similar, close = nearest("similarity", "desc"), nearest("distance", "asc")
print(similar, close)
assert [word for word, _ in similar] == ["zero", "a", "b"] and math.isnan(similar[0][1])
assert [word for word, _ in close] == ["a", "b", "zero"]
largest = base.execute("select max(array_cosine_similarity(vector, [1, 0]::float[2])) from words").fetchone()[0]
assert math.isnan(largest)

scores = polars.Series([1.0, math.nan, 2.0])
print(scores.top_k(1).to_list(), scores.max())
assert math.isnan(scores.top_k(1)[0]) and scores.max() == 2.0
PYTHON
