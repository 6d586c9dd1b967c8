"""Random chains: a source, operators, an end. The same seed, number and greatest length are the same chain."""

import copy
import random
import re

import combining
import ends
import kit
import publishers
import scheduled
import valuewise
import values
from links import Context, Operator, Stream, into

OPERATORS = valuewise.OPERATORS + combining.OPERATORS + scheduled.OPERATORS + kit.OPERATORS
MODULES = ["Penstock", "PenstockConcurrency", "PenstockInspector", "PenstockKit", "PenstockOperators", "PenstockTesting"]
IMPORTS = "".join(f"import {module}\n" for module in ["Foundation", *MODULES, "Surroundings"]) + "\n"
# The share of the chains that are of the checked family.
CHECKED = 0.1
# What longer types become, and what a type without literals becomes where an end wants one.
TO_INT = Operator("map(_:)", into("Int", lambda c: f".map {c.closure('Int', c.converted('Int'))}"))
TO_NEVER = [o for o in OPERATORS if o.name in ("replaceError(with:)", "ignoreFailure()", "assertNoFailure(_:file:line:)")]
TO_FAILING = [o for o in OPERATORS if o.name == "setFailureType(to:)"]
LONGEST_TYPE = 40
# How often a user's own generic publisher is between two operators.
PASSED = 0.2


class Chain:
    """A program: a source, links and an end, and the streams that the links make of it."""

    def __init__(self, title, source, stream):
        self.title, self.source, self.end = title, source, None
        self.links, self.operators, self.streams = [], [], [stream]

    @property
    def name(self):
        """The function's, and the file's."""
        return "chain_" + re.sub(r"\W", "_", self.title)

    @property
    def text(self):
        return IMPORTS + self.end.program(self.name, [self.source, *self.links], self.streams[-1])

    def context(self, dice=None, i=0):
        return Context(self.streams[-1], dice, i)

    def add(self, operator, text, output, failure, checked):
        self.links.append(text)
        self.operators.append(operator)
        self.streams.append(Stream(output, failure, checked))

    def put(self, operator, dice, i):
        context = self.context(dice, i)
        self.add(operator.name, *operator.make(context), context.checked)

    def without(self, place):
        """The chain without one of its links. Whether the types still fit is for the compiler to say."""
        other = copy.copy(self)
        other.links = self.links[:place] + self.links[place + 1:]
        return other

    def without_last(self):
        """The chain before its last operator, with its end, or with the plainest if that does not fit."""
        other = self.without(len(self.links) - 1)
        other.streams = self.streams[:-1]
        if not other.end.fits(other.context()):
            other.end = next(end for end in ends.ENDS if end.name == "sink with completion")
        return other

    @property
    def covered(self):
        """Names of the roster that are in the program."""
        text = "\n".join([self.source, *self.links])
        parts = {**publishers.SOURCE_WORDS, **combining.ALSO}
        return {*self.operators, *self.end.covers.split(), *(name for part, name in parts.items() if part in text)}


def known():
    """Names of the roster that a chain can contain."""
    names = {operator.name for operator in OPERATORS} | {name for end in ends.ENDS for name in end.covers.split()}
    return names | {*publishers.SOURCE_WORDS.values(), *combining.ALSO.values()}


def make(seed, number, wanted=None, longest=10):
    """The chain of a seed and a number, of three operators or more, with one of the ends that are wanted."""
    dice = random.Random(f"{seed}:{number}")
    checked = dice.random() < CHECKED
    source, output, failure = dice.choice(publishers.CHECKED_SOURCES if checked else publishers.SOURCES)
    chain = Chain(f"{seed}:{number}", source, Stream(output, failure, checked))
    for place in range(dice.randint(3, longest)):
        if not checked and place and dice.random() < PASSED:
            chain.add("", ".passed()", chain.streams[-1].output, chain.streams[-1].failure, False)
        if len(chain.streams[-1].output) > LONGEST_TYPE:
            chain.put(TO_INT, dice, place)
            continue
        possible = [operator for operator in OPERATORS if operator.fits(chain.context())]
        chain.put(dice.choices(possible, [operator.likely for operator in possible])[0], dice, place)
    # The end comes first, and what it needs is put before it: ends that need much would be rare otherwise.
    chain.end = dice.choice([end for end in ends.ENDS if wanted is None or end.name in wanted])
    if checked and not chain.end.checked:
        chain.add("", ".publisher", chain.streams[-1].output, chain.streams[-1].failure, False)
    if not chain.end.fits(chain.context()):
        context = chain.context()
        adaptors = [TO_INT, dice.choice(TO_NEVER if context.failure != "Never" else TO_FAILING)]
        for wanted_ones in ([adaptors[1]], [adaptors[0]], adaptors):
            attempt = copy.deepcopy(chain)
            if not all(_put(attempt, operator, dice) for operator in wanted_ones): continue
            if attempt.end.fits(attempt.context()): return attempt
        raise ValueError(f"{chain.title}: nothing makes {context.output}, {context.failure} fit the end {chain.end.name}")
    return chain


def _put(chain, operator, dice):
    if not operator.fits(chain.context()): return False
    chain.put(operator, dice, len(chain.links))
    return True
