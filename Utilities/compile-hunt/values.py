"""The values of the chains: for each Swift type, how one is written, changed, tested and counted."""

LITERALS = {
    "Int": "{i}", "String": '"{i}"', "Bool": "true", "[Int]": "[{i}, 1]", "Int?": "Optional<Int>.some({i})",
}
# Of what has no literal, nothing is appended, replaced or compared.
COMPARABLE = ("Int", "String")


def literal(type, i):
    return LITERALS[type].format(i=i)


def has_literal(type):
    return type in LITERALS


def is_sendable(type):
    return not any(word in type for word in ("Publisher", "Subject", "Just", "Future", "Deferred", "Empty", "Fail<"))


def changed(type, x, i):
    """An expression of the same type."""
    return {
        "Int": f"{x} &+ {i}", "String": f'{x} + "{i}"', "Bool": f"!{x}", "[Int]": f"{x} + [{i}]",
        "Int?": f"{x} == {i} ? nil : {x}",
    }.get(type, x)


def test(type, x, i):
    return {
        "Int": f"{x} % {i + 2} != 0", "String": f"{x}.utf8.count > {i % 4}", "Bool": x, "[Int]": f"{x}.count > {i % 4}",
        "Int?": f"{x} != {i}",
    }.get(type, f"weight({x}) > {i}")


def converted(type, x, into, i):
    """An expression of another of the types that have literals."""
    if type == into: return changed(type, x, i)
    number = {"Int": x, "String": f"{x}.utf8.count", "[Int]": f"{x}.count"}.get(type, f"weight({x})")
    return {
        "Int": f"{number} &+ {i}", "String": f'"\\({number})x{i}"', "Bool": f"{number} > {i}", "[Int]": f"[{number}, {i}]",
        "Int?": f"{number} > {i} ? {number} : nil",
    }[into]
