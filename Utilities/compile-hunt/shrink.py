"""Makes a chain that troubles the compiler as short as it still does."""

import copy
import re
import time

# The program is printed as short as it has become by then.
SECONDS = 120
SIMPLE_SOURCES = {("Int", "Never"): "w.ints", ("Int", "E"): "w.intsE", ("String", "Never"): "w.strings", ("Bool", "Never"): "w.bools"}
CLOSING = {"(": ")", "{": "}", "[": "]"}


def end_of_call(text, start):
    """The place after a call such as `.map { … }` or `.prefix(3)`; None if there is none."""
    name = re.compile(r"\.[a-z]\w*").match(text, start)
    if not name: return None
    place = name.end()
    while True:
        opening = re.compile(r" ?([({])").match(text, place)
        if not opening: return place if place > name.end() else None
        depth, place = 0, opening.end() - 1
        while place < len(text):
            if text[place] in CLOSING: depth += 1
            if text[place] in CLOSING.values(): depth -= 1
            place += 1
            if depth == 0: break


def without_calls(text):
    """The text of a link without one of the calls in it. The first is the operator itself."""
    for match in list(re.finditer(r"(?<=[\w)}>])\.[a-z]", text))[::-1]:
        if match.start() == 0: continue
        end = end_of_call(text, match.start())
        if end: yield text[:match.start()] + text[end:]


def shorter(chain):
    """Chains with one thing less. Whether the types still fit is for the compiler to say."""
    source = SIMPLE_SOURCES.get((chain.streams[0].output, chain.streams[0].failure))
    if source and source != chain.source:
        other = copy.copy(chain)
        other.source = source
        yield other
    for place in range(len(chain.links)): yield chain.without(place)
    for place, link in enumerate(chain.links):
        for text in without_calls(link):
            other = copy.copy(chain)
            other.links = [*chain.links[:place], text, *chain.links[place + 1:]]
            yield other


def shrunk(chain, is_same):
    """The shortest chain that was found for which `is_same` still holds."""
    began, seen = time.monotonic(), set()
    while True:
        for other in shorter(chain):
            if time.monotonic() - began > SECONDS: return chain
            if other.text in seen: continue
            seen.add(other.text)
            if is_same(other):
                chain = other
                break
        else: return chain
