"""The code that Utilities/mutants and Utilities/explore share: it changes lines of the sources in a copy of the package.

A list of such lines is a text. Each entry begins with a line that names a file, and what follows says:

    | in words what goes wrong
    - a line of the file, as often as there are lines one below the other; they occur once, and indentation does not count
    + a line that takes their place

A word in the new line stands for a condition, which is true when the copy should make this mistake. So one build has them all.
"""

import dataclasses
import os
import shutil

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


@dataclasses.dataclass
class Change:
    path: str = ""
    # Where the entry begins in the list.
    line: int = 0
    text: str = ""
    before: list = dataclasses.field(default_factory=list)
    after: list = dataclasses.field(default_factory=list)
    # The first of the lines in the file.
    place: int = -1


def parse(file, begin, add, fail):
    """The entries of a list.

    `begin` makes an entry from its first line, or nothing; `add` passes it a line with a key that is not one of the
    above, and says whether there is such a key; `fail` is called with what is wrong.
    """
    changes, name = [], os.path.basename(file)
    with open(file, encoding="utf-8") as opened: lines = opened.read().split("\n")
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"): continue
        change = begin(line)
        if change:
            change.line = number
            changes.append(change)
            continue
        key, _, rest = line.partition(" ")
        rest = rest.strip()
        if not changes: fail(f"{name}:{number}: this is not how an entry begins")
        elif key == "-": changes[-1].before.append(rest)
        elif key == "+": changes[-1].after.append(rest)
        elif key == "|": changes[-1].text = f"{changes[-1].text} {rest}".strip()
        elif not add(changes[-1], key, rest): fail(f"{name}:{number}: nothing begins with '{key}'")
    return changes


def source(path):
    """The lines of a source, or nothing if there is none."""
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file: return file.read().split("\n")
    except FileNotFoundError:
        return None


def locate(changes, mark, title, report):
    """Finds the place of each change; `report` is called with a change and what is wrong with it.

    `mark` is the word for the condition, and `title` says what a change is called.
    """
    taken = {}
    for change in changes:
        if not any(mark in line for line in change.after): report(change, f"what it becomes does not contain {mark}")
        lines = source(change.path)
        if lines is None:
            report(change, f"there is no {change.path}")
            continue
        stripped, count = [line.strip() for line in lines], len(change.before)
        places = [place for place in range(len(lines)) if stripped[place:place + count] == change.before]
        if count == 0 or len(places) != 1:
            report(change, f"{change.path} contains {len(places)} times:\n    " + "\n    ".join(change.before))
            continue
        change.place = places[0]
        for place in range(places[0], places[0] + count):
            other = taken.setdefault((change.path, place), change)
            if other is not change: report(change, f"is where {title(other)} is")


def planted(text, changes, mark, condition):
    """The text of a source with its changes; `condition` is what the mark of a change becomes."""
    lines = text.split("\n")
    for change in sorted(changes, key=lambda one: -one.place):
        lines[change.place:change.place + len(change.before)] = [
            line.replace(mark, condition(change)) for line in change.after]
    return "\n".join(lines)


def plant(tree, copied, changes, mark, condition, added, manifest):
    """Brings a copy up to date; what has not changed is not written, so that it is not compiled again.

    `copied` are files and folders of the package, `added` the content of further files, and the copy's manifest ends with
    `manifest`.
    """
    wanted = {}
    for name in copied:
        top = os.path.join(ROOT, name)
        if not os.path.exists(top): continue
        found = [top] if os.path.isfile(top) else [
            os.path.join(directory, file) for directory, _, files in os.walk(top, followlinks=True) for file in files]
        for path in found: wanted[os.path.relpath(path, ROOT)] = path
    for relative in [*wanted, *added]:
        if relative in added: content = added[relative].encode()
        else:
            with open(wanted[relative], "rb") as file: content = file.read()
        here = [change for change in changes if change.path == relative]
        if here: content = planted(content.decode(), here, mark, condition).encode()
        if relative == "Package.swift": content += manifest.encode()
        target = os.path.join(tree, relative)
        if os.path.isfile(target):
            with open(target, "rb") as file:
                if file.read() == content: continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file: file.write(content)
        if relative in wanted: shutil.copymode(wanted[relative], target)
    for name in copied:
        for directory, _, files in os.walk(os.path.join(tree, name)):
            for file in files:
                path = os.path.join(directory, file)
                relative = os.path.relpath(path, tree)
                if relative not in wanted and relative not in added: os.remove(path)


def only(targets):
    """The end of a manifest that has only these targets; of other packages they use only swift-collections."""
    names = ", ".join(f'"{name}"' for name in targets)
    return (f"\npackage.products = []\npackage.targets.removeAll {{ ![{names}].contains($0.name) }}\n"
            'package.dependencies.removeAll { !"\\($0.kind)".contains("swift-collections") }\n')
