"""A link of a chain: one operator with its arguments, chosen for the stream that it is appended to."""

import dataclasses

import publishers
import values


@dataclasses.dataclass
class Stream:
    """What is published so far, and in which family."""
    output: str
    failure: str
    checked: bool = False


class Context:
    """What an operator is written with: the stream before it, a random source and a number of its own."""

    def __init__(self, stream, dice, i):
        self.output, self.failure, self.checked = stream.output, stream.failure, stream.checked
        self.dice, self.i = dice, i

    def closure(self, result, body, throws=False):
        return f"{{ (x: {self.output}){' throws' if throws else ''} -> {result} in {body} }}"

    def test(self, throws=False):
        body = values.test(self.output, "x", self.i)
        return self.closure("Bool", f"if {body} {{ throw E() }}; return true" if throws else body, throws)

    def pair(self, result, body, throws=False):
        return f"{{ (a: {self.output}, b: {self.output}){' throws' if throws else ''} -> {result} in {body} }}"

    def order(self, throws=False):
        less = "a < b" if self.output in values.COMPARABLE else "weight(a) < weight(b)"
        return self.pair("Bool", less, throws)

    def same(self, throws=False):
        return self.pair("Bool", "a == b" if self.has_literal else "weight(a) == weight(b)", throws)

    @property
    def has_literal(self):
        return values.has_literal(self.output)

    @property
    def literal(self):
        return values.literal(self.output, self.i)

    def any_type(self):
        return self.dice.choice(["Int", "Int", "Int", "String", "Bool", "[Int]", "Int?"])

    def converted(self, into):
        return values.converted(self.output, "x", into, self.i)

    def inner(self, output=None, failure=None, value=None):
        """A publisher: its type and its text."""
        output, failure = output or self.output, failure or self.failure
        value = value or values.literal(output, self.i)
        if not self.checked: return publishers.inner(self.dice, output, failure, value, self.i)
        if failure == "Never" and self.dice.random() < 0.5: return f"SendablePublisher<Just<{output}>>", f"Just({value}).sendable"
        both = f"{output}, {failure}"
        return f"SendablePublisher<PassthroughSubject<{both}>>", f"PassthroughSubject<{both}>().sendable"

    def beside(self, count, output=None, failure=None):
        """Arguments that are publishers."""
        return ", ".join(self.inner(output or self.any_type(), failure)[1] for _ in range(count))


class Operator:
    """An entry of the roster: when it can follow, and its text with the stream after it."""

    def __init__(self, name, make, when=None, checked=True, likely=1.0):
        self.name, self.make, self.when, self.checked, self.likely = name, make, when, checked, likely

    def fits(self, context):
        return (self.checked or not context.checked) and (self.when is None or self.when(context))


def same(write):
    """The maker of an operator after which the stream has the same types."""
    return lambda c: (write(c), c.output, c.failure)


def into(output, write):
    return lambda c: (write(c), output, c.failure)


def failing(write, output=None):
    return lambda c: (write(c), output or c.output, "any Error")


def group(c):
    """The values of a group `$0`, which is a pair in the checked family."""
    return "$0.values" if c.checked else "$0"


def literal(c):
    return c.has_literal


def fails(c):
    return c.failure != "Never"


def never_fails(c):
    return c.failure == "Never"


def sendable(c):
    return values.is_sendable(c.output)


def is_output(*types):
    return lambda c: c.output in types
