"""Builder of LLVM code for vectors of floats, for loops that a compiler doesn't vectorise well.

The code that uses it is in :mod:`workbench.models.kernels.gemm` and the modules it names. llvmlite
comes with numba and is imported with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from workbench.core.jit import target_features

# The code specifies products, sums and their order, so that two kernels agree to the bit: the
# compiler may only replace −0 by 0.
_FLAGS = ("nsz",)


@cache
def vector_width() -> int:
    """Number of floats in one register of the processor that kernels are compiled for: 16, 8 or
    4.
    """
    features = target_features()
    if "avx512f" in features:
        return 16
    return 8 if "avx" in features else 4


@cache
def has_fused_multiply_add() -> bool:
    """Whether the processor that kernels are compiled for multiplies and adds in one step, as all
    current ones do. On others, each product would call a function, at a twentieth of the speed.
    """
    return not target_features().isdisjoint(["fma", "neon"])


class Emit:
    """A builder for one function: arrays of floats, vectors of ``width`` of them, counted loops.

    double : whether the floats are float64, of which a vector holds half as many as of float32
    """

    def __init__(self, context: Any, builder: Any, double: bool = False) -> None:
        from llvmlite import ir

        self.ir = ir
        self.context = context
        self.b = builder
        self.width = vector_width() // 2 if double else vector_width()
        self.f32, self.f64 = ir.FloatType(), ir.DoubleType()
        self.i32, self.i64 = ir.IntType(32), ir.IntType(64)
        self.float, self.size = (self.f64, 8) if double else (self.f32, 4)
        self.vec = ir.VectorType(self.float, self.width)
        self._kind = f"v{self.width}f{8 * self.size}"

    # -- memory

    def array(self, kind: Any, value: Any) -> tuple[Any, Any]:
        """Pointer to the first float of an array, and number of floats from one row to the next."""
        array = self.context.make_array(kind)(self.context, self.b, value)
        pointer = self.b.bitcast(array.data, self.float.as_pointer())
        return pointer, self.b.udiv(self.b.extract_value(array.strides, 0), self.i64(self.size))

    def integers(self, kind: Any, value: Any) -> Callable[[Any], Any]:
        """Function that reads a contiguous array of int32 by index, as 64 bits."""
        array = self.context.make_array(kind)(self.context, self.b, value)
        pointer = self.b.bitcast(array.data, self.i32.as_pointer())
        return lambda index: self.b.sext(
            self.b.load(self.b.gep(pointer, [index]), align=4), self.i64
        )

    def row(self, array: tuple[Any, Any], index: Any) -> Any:
        """Pointer to a row of a two-dimensional array."""
        return self.b.gep(array[0], [self.b.mul(index, array[1])])

    def chosen_row(
        self, array: tuple[Any, Any], kind: Any, indices: Any, count: Any = None
    ) -> Callable[[Any], Any]:
        """Function from i to a pointer to row indices[i]; from ``count`` on, if given, to the last
        row.
        """
        listed = self.integers(kind, indices)
        if count is None:
            return lambda index: self.row(array, listed(index))
        last = self.b.sub(count, self.index(1))

        def pick(index: Any) -> Any:
            inside = self.b.icmp_signed("<", index, last)
            return self.row(array, listed(self.b.select(inside, index, last)))

        return pick

    def at(self, pointer: Any, index: Any) -> Any:
        return self.b.gep(pointer, [index])

    def load(self, pointer: Any, index: Any, align: int = 4) -> Any:
        where = self.b.bitcast(self.at(pointer, index), self.vec.as_pointer())
        return self.b.load(where, align=align)

    def store(self, value: Any, pointer: Any, index: Any, align: int = 4) -> None:
        where = self.b.bitcast(self.at(pointer, index), value.type.as_pointer())
        self.b.store(value, where, align=align)

    # -- values

    def index(self, value: int) -> Any:
        return self.i64(value)

    def constant(self, value: float, kind: Any = None) -> Any:
        kind = kind or self.vec
        return self.ir.Constant(kind, [self.ir.Constant(kind.element, value)] * kind.count)

    def splat(self, scalar: Any) -> Any:
        kind = self.ir.VectorType(scalar.type, self.width)
        undefined = self.ir.Constant(kind, self.ir.Undefined)
        single = self.b.insert_element(undefined, scalar, self.i32(0))
        return self.shuffle(single, undefined, [0] * self.width)

    def shuffle(self, left: Any, right: Any, lanes: Sequence[int]) -> Any:
        mask = self.ir.Constant(
            self.ir.VectorType(self.i32, len(lanes)), [self.i32(lane) for lane in lanes]
        )
        return self.b.shuffle_vector(left, right, mask)

    def add(self, left: Any, right: Any) -> Any:
        return self.b.fadd(left, right, flags=_FLAGS)

    def sub(self, left: Any, right: Any) -> Any:
        return self.b.fsub(left, right, flags=_FLAGS)

    def mul(self, left: Any, right: Any) -> Any:
        return self.b.fmul(left, right, flags=_FLAGS)

    def fma(self, left: Any, right: Any, added: Any) -> Any:
        """left·right + added in the written order, so that two kernels agree to the bit."""
        if not has_fused_multiply_add():
            return self.b.fadd(self.b.fmul(left, right), added)
        kind = self.ir.FunctionType(self.vec, [self.vec] * 3)
        return self._call(f"llvm.fma.{self._kind}", kind, [left, right, added])

    def polynomial(self, x: Any, coefficients: Sequence[float]) -> Any:
        """Polynomial by Estrin's scheme, highest power first: half of the powers at a time, in a
        chain of log2(n) dependent operations instead of Horner's n.
        """
        terms = [self.constant(coefficient) for coefficient in reversed(coefficients)]
        power = x
        while len(terms) > 1:
            odd = terms[1::2]
            terms = [
                self.fma(odd[i], power, term) if i < len(odd) else term
                for i, term in enumerate(terms[::2])
            ]
            if len(terms) > 1:
                power = self.mul(power, power)
        return terms[0]

    def total(self, vector: Any) -> Any:
        """The sum of a vector's lanes, by halves."""
        count = vector.type.count
        while count > 1:
            count //= 2
            lower = self.shuffle(vector, vector, list(range(count)))
            vector = self.add(lower, self.shuffle(vector, vector, list(range(count, 2 * count))))
        return self.b.extract_element(vector, self.i32(0))

    def vector_function(self, name: str, value: Any) -> Any:
        """An LLVM intrinsic of one vector of floats, such as "fabs" or "rint"."""
        kind = self.ir.FunctionType(self.vec, [self.vec])
        return self._call(f"llvm.{name}.{self._kind}", kind, [value])

    def prefetch(self, pointer: Any, write: bool = True) -> None:
        """Prefetch the cache line at ``pointer``; for writing, it is taken away from other
        threads.
        """
        byte = self.b.bitcast(pointer, self.ir.IntType(8).as_pointer())
        kind = self.ir.FunctionType(self.ir.VoidType(), [byte.type, self.i32, self.i32, self.i32])
        self._call("llvm.prefetch.p0", kind, [byte, self.i32(int(write)), self.i32(3), self.i32(1)])

    def _call(self, name: str, kind: Any, arguments: list[Any]) -> Any:
        module = self.b.module
        function = module.globals.get(name) or self.ir.Function(module, kind, name)
        return self.b.call(function, arguments)

    # -- control

    def loop(
        self, count: Any, start: Sequence[Any], body: Callable[[Any, list[Any]], Sequence[Any]]
    ) -> list[Any]:
        """``for index in range(count)``; ``body(index, carried)`` returns the next carried
        values.
        """
        b = self.b
        before = b.block
        head, inside, after = (b.append_basic_block(name) for name in ("head", "inside", "after"))
        b.branch(head)
        b.position_at_end(head)
        index = b.phi(self.i64)
        index.add_incoming(self.i64(0), before)
        carried = [b.phi(value.type) for value in start]
        for phi, value in zip(carried, start, strict=True):
            phi.add_incoming(value, before)
        b.cbranch(b.icmp_signed("<", index, count), inside, after)
        b.position_at_end(inside)
        new = body(index, list(carried))
        end = b.block
        index.add_incoming(b.add(index, self.i64(1)), end)
        for phi, value in zip(carried, new, strict=True):
            phi.add_incoming(value, end)
        b.branch(head)
        b.position_at_end(after)
        return list(carried)

    def either(self, condition: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
        """The value of ``yes()`` or of ``no()``, only one of which is executed."""
        b = self.b
        blocks = [b.append_basic_block(name) for name in ("yes", "no", "after")]
        b.cbranch(condition, blocks[0], blocks[1])
        values = []
        for block, make in zip(blocks, (yes, no), strict=False):
            b.position_at_end(block)
            values.append((make(), b.block))
            b.branch(blocks[2])
        b.position_at_end(blocks[2])
        chosen = b.phi(values[0][0].type)
        for value, end in values:
            chosen.add_incoming(value, end)
        return chosen

    def in_blocks(self, floats: Any, most: int, block: Callable[[int, Any], None]) -> None:
        """Call ``block(vectors, start)`` for each part of a row of ``floats``: ``most`` vectors at
        a time, and a rest.
        """
        b = self.b
        vectors = b.udiv(floats, self.index(self.width))

        def full(number: Any, _: list[Any]) -> list[Any]:
            block(most, b.mul(number, self.index(most * self.width)))
            return []

        whole = b.udiv(vectors, self.index(most))
        self.loop(whole, [], full)
        start = b.mul(whole, self.index(most * self.width))
        after = b.append_basic_block("done")
        choice = b.switch(b.urem(vectors, self.index(most)), after)
        for size in range(1, most):
            case = b.append_basic_block(f"last{size}")
            choice.add_case(self.index(size), case)
            b.position_at_end(case)
            block(size, start)
            b.branch(after)
        b.position_at_end(after)

    def fold(self, sums: Sequence[Any]) -> list[Any]:
        """Horizontal sums of many vectors: lane l of result r is the sum of ``sums[r·width + l]``,
        meaningless if that is None.

        Pairs are halved and joined, log2(width) times: one and a half shuffles per sum instead of
        log2(width) for each vector alone.
        """
        results = []
        for start in range(0, len(sums), self.width):
            part: list[Any] = list(sums[start : start + self.width])
            part += [None] * (self.width - len(part))
            half = self.width // 2
            while half:
                part = [self._join(part[i], part[i + half], half) for i in range(half)]
                half //= 2
            results.append(part[0])
        return results

    def _join(self, one: Any, two: Any, half: int) -> Any:
        """Half-sums of ``one``, then those of ``two``, in every group of 2·half lanes."""
        if one is None:
            return None
        other = self.constant(0.0) if two is None else two
        first: list[int] = []
        second: list[int] = []
        for base in range(0, self.width, 2 * half):
            lower, upper = range(base, base + half), range(base + half, base + 2 * half)
            first += [*lower, *(self.width + lane for lane in lower)]
            second += [*upper, *(self.width + lane for lane in upper)]
        return self.add(self.shuffle(one, other, first), self.shuffle(one, other, second))
