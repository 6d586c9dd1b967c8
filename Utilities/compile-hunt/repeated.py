"""One operator many times: in one expression, and in separate statements. Type-checked, not compiled.

What the type checker tries for an operator, and what it remembers of its type, multiplies with each further one. In a
mixture that is noticed late; an operator that is repeated a few times too many is not checked at all any more.
"""

import copy
import random

import chains
import ends
from links import Context, Stream

# How many of one operator have to be checked within how many seconds of processor time.
TIMES, SECONDS = 10, 10
# Operators whose overloads differ only in what an argument turns out to be, which the type checker finds out last: it tries
# each of them for each of the others before. Statements of their own are checked in no time, as for all others.
KNOWN = {
    **dict.fromkeys(
        ["flatMap(maxPublishers:_:)", "switchToLatest()", "concatMap(_:)", "flatMapFirst(_:)", "flatMapLatest(_:)",
         "flatMapSequential(maxPublishers:prefetch:_:)", "expand(maxPublishers:_:)"],
        "four overloads, for publishers that can fail and that cannot, as in Combine"),
    **dict.fromkeys(["withLatestFrom(_:_:)", "withLatestFrom(_:_:_:)", "withLatestFrom(_:_:_:_:)"],
                    "its last argument is a publisher or a closure"),
    "lift(_:)": "which kind of stage its closure makes",
    "prepend(_:)": "an element, a sequence or a publisher, and what is published is named by it",
}
SOURCES = [("Int", "Never"), ("Int", "any Error"), ("Int", "E"), ("String", "Never"), ("[Int]", "Never"), ("Int?", "Never")]
END = next(end for end in ends.ENDS if end.name == "sink with completion")


class Plain(Context):
    """Other publishers are subjects: what is repeated is the operator, not what its arguments are made of."""

    def inner(self, output=None, failure=None, value=None):
        subject = f"PassthroughSubject<{output or self.output}, {failure or self.failure}>"
        return subject, subject + "()"


class Repeated(chains.Chain):
    def context(self, dice=None, i=0):
        return Plain(self.streams[-1], dice, i)


def repeated(operator, place):
    """A chain of the operator again and again, with a `map` before each that needs one; nothing if it fits no source."""
    dice = random.Random(1)
    for source in SOURCES:
        chain = Repeated(f"repeated {place}", "PassthroughSubject<%s, %s>()" % source, Stream(*source, False))
        for i in range(TIMES):
            if not operator.fits(chain.context(dice, i)): chain.put(chains.TO_INT, dice, i)
            if not operator.fits(chain.context(dice, i)): break
            chain.put(operator, dice, i)
        else:
            chain.end = END
            return chain
    return None


class Statements:
    """The chain with a statement for each of its links."""

    def __init__(self, chain):
        self.name, self.title, self.chain = chain.name + "_statements", chain.title + ", in statements", chain

    @property
    def text(self):
        chain = self.chain
        lines = [f"let s0 = {chain.source}", *(f"let s{i + 1} = s{i}{link}" for i, link in enumerate(chain.links))]
        end = copy.copy(chain.end)
        end.before = "\n  ".join(lines)
        return chains.IMPORTS + end.program(self.name, [f"s{len(chain.links)}"], chain.streams[-1])


def check(compiler):
    """Checks every operator; prints those that are not checked in time, and returns whether there are none."""
    programs = []
    for place, operator in enumerate(chains.OPERATORS):
        chain = repeated(operator, place)
        if chain:
            chain.title = operator.name
            programs += [Statements(chain)] if operator.name in KNOWN else [chain, Statements(chain)]
    slow = []
    for start in range(0, len(programs), 20):
        some = programs[start:start + 20]
        # Most batches are checked in a second: only of one that is not does it matter which of them it is.
        if compiler.checks(some, SECONDS): continue
        slow += [program for program in some if not compiler.checks([program], SECONDS)]
    for program in slow: print(f"NOT CHECKED in {SECONDS} s: {program.title}\n{program.text}", flush=True)
    print(f"compile-hunt: {len(programs)} programs of an operator {TIMES} times in a row, in an expression or in statements: "
          f"{len(slow)} not checked within {SECONDS} s; in statements only: {', '.join(sorted(KNOWN))}")
    return not slow
