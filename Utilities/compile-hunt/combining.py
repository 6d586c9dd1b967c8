"""Operators that subscribe to other publishers, or share one."""

import values
from links import Operator, fails, into, is_output, literal, never_fails, same, sendable


def tupled(name, count):
    def write(c):
        types = [c.any_type() for _ in range(count)]
        others = ", ".join(c.inner(type)[1] for type in types)
        return f".{name}({others})", f"({', '.join([c.output, *types])})", c.failure
    return write


def transformed(name, count):
    def write(c):
        types = [c.any_type() for _ in range(count)]
        others = ", ".join(c.inner(type)[1] for type in types)
        named = ", ".join(f"{letter}: {type}" for letter, type in zip("abcd", [c.output, *types]))
        return f".{name}({others}) {{ ({named}) -> Int in weight(a) &+ weight(b) &+ {c.i} }}", "Int", c.failure
    return write


def latest(count):
    def write(c):
        types = [c.any_type() for _ in range(count)]
        others = ", ".join(c.inner(type)[1] for type in types)
        return f".withLatestFrom({others})", types[0] if count == 1 else f"({', '.join(types)})", c.failure
    return write


def labelled(count):
    def write(c):
        text, type, failure = latest_transformed(count)(c)
        return text.replace(") { (a: ", ", resultSelector: { (a: ") + ")", type, failure
    return write


def latest_transformed(count):
    def write(c):
        types = [c.any_type() for _ in range(count)]
        others = ", ".join(c.inner(type)[1] for type in types)
        second = types[0] if count == 1 else f"({', '.join(types)})"
        return f".withLatestFrom({others}) {{ (a: {c.output}, b: {second}) -> Int in weight(a) &+ weight(b) }}", "Int", c.failure
    return write


def merge(count):
    return same(lambda c: f".merge(with: {c.beside(count, c.output)})")


def inners(name, arguments=lambda c: "", any_failure=False):
    """Operators with a closure that makes a publisher of a value."""
    def write(c):
        type, failure = c.any_type(), any_of_two(c) if any_failure else c.failure
        return f".{name}{arguments(c)} {made(c, type, failure)}", type, failure if never_fails(c) else c.failure
    return write


def any_of_two(c):
    """Failures for which `flatMap` and `switchToLatest` have overloads: equal, or one of the two never fails."""
    if never_fails(c): return c.dice.choice(["Never", "Never", "E", "any Error"])
    return "Never" if c.dice.random() < 0.3 else c.failure


def made(c, type, failure):
    """A closure that makes a publisher of a value."""
    return c.closure(*c.inner(type, failure, f"Optional<Int>.some({c.i})" if type == "Int?" else c.converted(type)))


def expanded(c):
    failure = any_of_two(c) if not never_fails(c) else "Never"
    return f".expand {{ (x: {c.output}) in Empty<{c.output}, {failure}>(){'.sendable' if c.checked else ''} }}"


def switching(c):
    """`map` to a publisher, and the latest of them; one link, since nothing else is done with such a stream."""
    type, failure = c.any_type(), any_of_two(c)
    return f".map {made(c, type, failure)}.switchToLatest()", type, failure if never_fails(c) else c.failure


def catch(c):
    failure = c.dice.choice(["Never", "Never", "E", "any Error"])
    type, text = c.inner(c.output, failure)
    return f".catch {{ (e: {c.failure}) -> {type} in {text} }}", c.output, failure


def try_catch(c):
    type, text = c.inner(c.output, c.dice.choice(["E", "any Error"]))
    return f".tryCatch {{ (e: {c.failure}) throws -> {type} in {text} }}", c.output, "any Error"


def until(name):
    return same(lambda c: f".{name}(untilOutputFrom: {c.beside(1)})")


def multicast(c):
    both = f"{c.output}, {c.failure}"
    if c.dice.random() < 0.5: return f".multicast {{ () -> PassthroughSubject<{both}> in PassthroughSubject<{both}>() }}.autoconnect()"
    return f".multicast(subject: PassthroughSubject<{both}>()).autoconnect()"


def retry_when(c):
    # The trigger may fail as the stream does, or not at all.
    if c.checked: return f".retryWhen {{ $0.prefix({c.i}) }}"
    trigger = f"Publishers.Output<AnyPublisher<{c.failure}, Never>>"
    return f".retryWhen {{ (failures: AnyPublisher<{c.failure}, Never>) -> {trigger} in failures.prefix({c.i}) }}"


def and_then(c):
    type = c.any_type()
    return f".andThen({c.inner(type)[1]})", type, c.failure


COUNTS = {1: "_:", 2: "_:_:", 3: "_:_:_:", 4: "_:_:_:_:", 5: "_:_:_:_:_:", 6: "_:_:_:_:_:_:", 7: "_:_:_:_:_:_:_:"}

OPERATORS = [
    Operator("append(_:)", same(lambda c: f".append({c.inner()[1]})"), literal, likely=2),
    Operator("prepend(_:)", same(lambda c: f".prepend({c.inner()[1]})"), literal, likely=2),
    *[Operator(f"{name}({COUNTS[count]})", tupled(name, count), likely=1.5 if count == 1 else 0.4)
      for name in ("combineLatest", "zip") for count in range(1, 8)],
    *[Operator(f"{name}({COUNTS[count]}_:)", transformed(name, count), likely=1 if count == 1 else 0.4)
      for name in ("combineLatest", "zip") for count in range(1, 4)],
    *[Operator(f"merge(with:{COUNTS[count][2:]})", merge(count), literal, likely=2 if count == 1 else 0.4)
      for count in range(1, 8)],
    *[Operator(f"withLatestFrom({COUNTS[count]})", latest(count), likely=0.5) for count in range(1, 5)],
    *[Operator(f"withLatestFrom({COUNTS[count]}_:)", latest_transformed(count), likely=0.5) for count in range(1, 5)],
    Operator("flatMap(maxPublishers:_:)", inners("flatMap", any_failure=True), likely=4),
    Operator("flatMap(maxPublishers:_:)", inners("flatMap", lambda c: f"(maxPublishers: .max({c.i + 1}))", any_failure=True)),
    Operator("switchToLatest()", switching, checked=False, likely=4),
    Operator("concatMap(_:)", inners("concatMap")), Operator("flatMapFirst(_:)", inners("flatMapFirst")),
    Operator("flatMapLatest(_:)", inners("flatMapLatest"), likely=2),
    Operator("flatMapSequential(maxPublishers:prefetch:_:)", inners("flatMapSequential")),
    Operator("expand(maxPublishers:_:)", same(expanded)),
    Operator("catch(_:)", catch, lambda c: literal(c) and fails(c), likely=4),
    Operator("tryCatch(_:)", try_catch, lambda c: literal(c) and fails(c), likely=2),
    Operator("retryWhen(_:)", same(retry_when), fails),
    Operator("prefix(untilOutputFrom:)", until("prefix")), Operator("drop(untilOutputFrom:)", until("drop")),
    Operator("window(until:)", same(lambda c: f".window(until: {c.beside(1)}).flatMap {{ $0 }}")),
    Operator("collect(until:)", lambda c: (f".collect(until: {c.beside(1)})", f"[{c.output}]", c.failure)),
    Operator("sample(_:)", same(lambda c: f".sample({c.beside(1)})")),
    Operator("amb(_:)", same(lambda c: f".amb({c.inner()[1]})"), literal),
    Operator("amb(with:)", same(lambda c: f".amb(with: [{c.inner()[1]}])"), literal, checked=False),
    *[Operator(f"{name}(with:)", lambda c, name=name: (f".{name}(with: {c.inner()[1]})", f"[{c.output}]", c.failure), literal,
               checked=False) for name in ("zip", "combineLatest")],
    *[Operator(f"withLatestFrom({COUNTS[count]}resultSelector:_:)", labelled(count), likely=0.5, checked=False)
      for count in range(1, 4)],
    Operator("mergeDelayingErrors(with:)", lambda c: (
        f".mergeDelayingErrors(with: {c.inner()[1]}).mapError {{ (_) -> E in E() }}", c.output, "E"),
             lambda c: literal(c) and fails(c)),
    Operator("combineLatestDelayingErrors(_:)", lambda c: (
        f".combineLatestDelayingErrors({c.inner()[1]}).mapError {{ (_) -> E in E() }}", f"({c.output}, {c.output})", "E"),
             lambda c: literal(c) and fails(c)),
    Operator("circuitBreaker(_:)", lambda c: (
        f".circuitBreaker(CircuitBreaker(failures: {c.i + 1}, resetAfter: .seconds(1), scheduler: DispatchQueue.main))"
        f".mapError {{ (_) -> E in E() }}", c.output, "E"), fails),
    Operator("switchIfEmpty(_:)", same(lambda c: f".switchIfEmpty({c.inner()[1]})"), literal),
    Operator("andThen(_:)", and_then),
    Operator("sequenceEqual(_:)", into("Bool", lambda c: f".sequenceEqual({c.inner()[1]})"), literal),
    Operator("sequenceEqual(_:by:)", into("Bool", lambda c: f".sequenceEqual({c.inner()[1]}, by: {c.same()})"), literal),
    Operator("and(_:)", same(lambda c: f".and({c.inner()[1]})"), is_output("Bool"), likely=3),
    Operator("or(_:)", same(lambda c: f".or({c.inner()[1]})"), is_output("Bool"), likely=3),
    Operator("share()", same(lambda c: ".share()"), likely=2),
    Operator("shareReplay(capacity:)", same(lambda c: f".shareReplay(capacity: {c.i})")),
    Operator("share(replay:)", same(lambda c: f".share(replay: {c.i})")),
    Operator("share(buffering:)", same(lambda c: f".share(buffering: .bounded({c.i + 1}))")),
    Operator("multicast(buffering:in:)", same(lambda c: ".multicast(in: { $0 })"), checked=False),
    Operator("autoconnect(atLeast:)", same(lambda c: ".makeConnectable().autoconnect(atLeast: 2)"), never_fails, checked=False),
    Operator("multicast(_:)", same(multicast), sendable, checked=False, likely=2),
    Operator("makeConnectable()", same(lambda c: ".makeConnectable().autoconnect()"), never_fails, checked=False),
]
# The names of those that are written as part of another link.
ALSO = {
    ".autoconnect()": "autoconnect()", ".multicast(subject:": "multicast(subject:)", ".multicast {": "multicast(_:)",
    ".sendable": "sendable",
}
