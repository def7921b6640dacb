from __future__ import annotations

from durations import arrange

SECONDS = {"a": 90.0, "b": 60.0, "c": 50.0}


def test_each_worker_starts_with_its_part_of_the_long_modules() -> None:
    modules = [*"xxxxabbyyyyyzcz"]
    for workers in (1, 2, 3, 4, 20):
        order = arrange(modules, SECONDS, workers)
        assert sorted(order) == list(range(len(modules)))
    order = arrange(modules, SECONDS, 2)
    names = "".join(modules[index] for index in order)
    assert names[: len(names) // 2].startswith("a")
    assert names[len(names) // 2 :].startswith("bbc")
    assert "".join(modules[index] for index in arrange(modules, SECONDS, 1)).startswith("abbcxxxx")


def test_tests_of_a_module_keep_their_order() -> None:
    modules = [*"aabbccaabb"]
    order = arrange(modules, SECONDS, 3)
    for name in "abc":
        indices = [index for index in order if modules[index] == name]
        assert indices == sorted(indices)
