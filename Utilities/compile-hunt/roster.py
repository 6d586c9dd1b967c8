"""All operators and ends there are, from the symbol graphs of the modules: none can be forgotten."""

import glob
import json
import os
import re
import subprocess
import tempfile

# What is behind traits, `metered` and `traced`, is not in the modules of a build without them.
MODULES = ["PenstockCore", "PenstockOperators", "PenstockConcurrency", "PenstockKit", "PenstockInspector", "PenstockTesting"]
OWNERS = {"Publisher", "ConnectablePublisher", "Collection", "Sequence", "Optional", "Result", "AsyncSequence", "AnyPublisher"}
LEFT_OUT = {"description", "playgroundDescription"}


def names(modules):
    """Names with labels, of which each has to be in some chain of a long run."""
    target = json.loads(subprocess.run(["swift", "-print-target-info"], capture_output=True, text=True, check=True).stdout)
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        for module in MODULES:
            subprocess.run(
                ["swift", "symbolgraph-extract", "-module-name", module, "-target", target["target"]["triple"], "-I", modules,
                 "-output-dir", folder, "-minimum-access-level", "public", "-skip-synthesized-members"], check=True)
        for path in glob.glob(f"{folder}/*.symbols.json"):
            with open(path) as file: symbols = json.load(file)["symbols"]
            for symbol in symbols:
                owner, *rest = symbol["pathComponents"]
                if not symbol["kind"]["identifier"].startswith(("swift.method", "swift.property", "swift.type.method")): continue
                if len(rest) != 1 or owner not in OWNERS or rest[0] in LEFT_OUT: continue
                if any(entry.get("isUnconditionallyUnavailable") for entry in symbol.get("availability", [])): continue
                found.add(re.sub("`", "", rest[0]))
    if len(found) < 100: raise SystemExit("compile-hunt: hardly any operators were found in the modules")
    return found
