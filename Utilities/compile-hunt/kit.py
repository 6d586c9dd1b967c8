"""Operators that a user makes with PenstockKit, and those of PenstockInspector and PenstockTesting."""

from links import Operator, same

# With stages that are in Surroundings.swift, as a user has them in a module of their own.


def staged(call, stage):
    """The stage of a call, for the types of the stream."""
    return same(lambda c: f".{call} {{ {stage}<{c.output}, {c.failure}>() }}")


def followed(c):
    both = f"{c.output}, {c.failure}"
    return f".followed {{ AgainRule(upstream: PassthroughSubject<{both}>()) }}"


OPERATORS = [
    Operator("lift(_:)", same(lambda c: f".lift(EveryStage<{c.output}>())"), checked=False),
    Operator("lift(_:)", staged("lift", "SkippingStage"), checked=False),
    Operator("lift(_:)", staged("lift", "TwiceStage"), checked=False),
    Operator("steered(by:_:)", same(
        lambda c: f".steered(by: {c.inner('Bool')[1]}, GateStage<{c.output}, {c.failure}, Bool>())"), checked=False),
    Operator("scheduled(_:)", staged("scheduled", "LateStage"), checked=False),
    Operator("scheduled(_:)", staged("scheduled", "IdleStage"), checked=False),
    Operator("followed(_:)", same(followed), checked=False),
    Operator("inspected(_:file:line:)", same(lambda c: f'.inspected("{c.i}")')),
    Operator("inspected(_:file:line:describing:)", same(
        lambda c: f'.inspected("{c.i}") {{ (x: {c.output}) -> String in "\\(weight(x))" }}')),
    Operator("handleDiscarded(_:)", same(
        lambda c: f".handleDiscarded {{ (x: {c.output}, reason: Inspector.Link.Drops.Reason) -> Void in note(x) }}"),
             checked=False),
    Operator("handleDiscarded(of:_:)", same(
        lambda c: ".handleDiscarded(of: Int.self) { (x: Int, reason: Inspector.Link.Drops.Reason) -> Void in note(x) }"),
             checked=False),
    Operator("verified(_:isForced:file:line:)", same(lambda c: f'.verified("{c.i}")'), checked=False),
]
