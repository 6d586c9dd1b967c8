"""Compiles chains, many at a time, and finds out which of them the compiler cannot take."""

import concurrent.futures
import dataclasses
import os
import re
import shutil
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# A chain is slow if it takes this many seconds of processor time, or this many times what it takes without its last operator.
TOO_LONG, TOO_MANY_TIMES = 10, 10
# Seconds that a batch may take beyond one and a half times what others took; if it takes longer, its chains are divided.
SUSPICIOUS = 8
# The time that a chain is assumed to take before it is known; usually it takes less.
USUAL = 3
# Less time than this troubles no user, and could be noise.
NEGLIGIBLE = 5

MODES = {
    "Onone5": ["-Onone", "-swift-version", "5"],
    "O5": ["-O", "-swift-version", "5"], "O6": ["-O", "-swift-version", "6"],
    "Osize5": ["-Osize", "-swift-version", "5"], "Osize6": ["-Osize", "-swift-version", "6"],
}


@dataclasses.dataclass
class Outcome:
    """Of one chain in one mode: built, crash, slow, unchecked (the type checker gave up) or mistake."""
    kind: str
    text: str = ""
    seconds: float = 0


@dataclasses.dataclass
class Attempt:
    status: int
    output: str
    seconds: float

    @property
    def errors(self):
        """Errors of the source, by function."""
        found = {}
        for name, text in re.findall(r"/(\w+)\.swift:\d+:\d+: error: (.*)", self.output):
            found.setdefault(name, []).append(text)
        return found


def reason(output):
    lines = [line for line in output.splitlines() if "ssertion" in line or "atal error" in line or "LLVM ERROR" in line]
    passes = re.findall(r'While running pass #\d+ SILFunctionTransform "(\w+)"', output)
    signal = re.findall(r"(?:signal|code) \d+", output)
    said = re.sub(r"^.*?(Assertion)", r"\1", lines[0])[:200] if lines else ", ".join(signal[:1]) or output.strip()[-200:]
    return said + (f", in {passes[0]}" if passes else "")


class Compiler:
    """Compiles against the modules of a release build."""

    def __init__(self, modules, jobs, is_quick=False):
        self.modules, self.jobs = modules, jobs
        # Half of the time goes into machine code, and hardly any trouble comes from there.
        self.kind = "-emit-sib" if is_quick else "-c"
        self.empty, self.averages = {}, {}
        self.folder = tempfile.TemporaryDirectory(prefix="compile-hunt-")
        self.surroundings()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def surroundings(self):
        """Builds the module in which the chains' sources are."""
        done = subprocess.run(
            ["swiftc", "-parse-as-library", "-suppress-warnings", "-swift-version", "5", "-I", self.modules, "-module-name",
             "Surroundings", "-emit-module", "-emit-module-path", self.path("Surroundings.swiftmodule"),
             os.path.join(HERE, "Surroundings.swift")], capture_output=True, text=True)
        if done.returncode: raise SystemExit(f"compile-hunt: Surroundings.swift cannot be built:\n{done.stderr[-3000:]}")

    def attempt(self, chains, mode, limit):
        """One run of the compiler over some chains, a function a file; stopped after a number of seconds of processor time."""
        folder = tempfile.mkdtemp(dir=self.folder.name)
        try:
            names = [os.path.join(HERE, "Client.swift")]
            for chain in chains:
                names.append(os.path.join(folder, chain.name + ".swift"))
                with open(names[-1], "w") as file: file.write(chain.text)
            # Through the shell: the code that Python would run between fork and exec does not work with threads.
            command = [
                "sh", "-c", f'ulimit -t {limit:.0f}; exec "$@"', "sh", "swiftc", *MODES[mode], "-wmo", "-parse-as-library",
                "-suppress-warnings", "-module-name", "Client", "-I", self.modules, "-I", self.folder.name, self.kind, *names,
                "-o", os.path.join(folder, "Client.o")]
            environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "LLVM_DISABLE_SYMBOLIZATION": "1"}
            with open(os.path.join(folder, "log"), "w+", errors="replace") as log:
                running = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment)
                _, status, used = os.wait4(running.pid, 0)
                running.returncode = os.waitstatus_to_exitcode(status)
                log.seek(0)
                return Attempt(running.returncode, log.read(), used.ru_utime + used.ru_stime)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def checks(self, programs, seconds):
        """Whether all of the programs, a function a file, pass the type checker in a number of seconds of processor time."""
        with tempfile.TemporaryDirectory(dir=self.folder.name) as folder:
            names = [os.path.join(HERE, "Client.swift")]
            for program in programs:
                names.append(os.path.join(folder, program.name + ".swift"))
                with open(names[-1], "w") as file: file.write(program.text)
            command = ["sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh", "swiftc", "-typecheck", "-parse-as-library",
                       "-swift-version", "5", "-suppress-warnings", "-I", self.modules, "-I", self.folder.name, *names]
            return subprocess.run(command, capture_output=True).returncode == 0

    def nothing(self, mode):
        """Seconds that a program without chains takes."""
        if mode not in self.empty:
            done = self.attempt([], mode, 300)
            if done.status: raise SystemExit(f"compile-hunt: not even Client.swift can be built:\n{done.output[-3000:]}")
            self.empty[mode] = done.seconds
        return self.empty[mode]

    def outcomes(self, chains, mode):
        """The outcome of each chain, by its name; they are divided until those that cause trouble are alone."""
        if not chains: return {}
        limit = self.nothing(mode) + max(TOO_LONG, 4 * USUAL * len(chains)) + 5
        done = self.attempt(chains, mode, limit)
        errors = {name: said for name, said in done.errors.items() if any(chain.name == name for chain in chains)}
        if done.status and errors:
            found = {}
            for name, said in errors.items():
                gave_up = any("reasonable time" in text for text in said)
                found[name] = Outcome("unchecked" if gave_up else "mistake", "\n".join(said))
            return {**found, **self.outcomes([chain for chain in chains if chain.name not in errors], mode)}
        seconds = done.seconds - self.nothing(mode)
        if len(chains) == 1: return {chains[0].name: self.outcome(chains[0], mode, done, seconds)}
        if done.status == 0 and not self.is_suspicious(seconds, len(chains), mode):
            return {chain.name: Outcome("built", "", seconds / len(chains)) for chain in chains}
        # The compiler often names the function that it was working on.
        named = [chain for chain in chains if re.search(rf"{len(chain.name)}{chain.name}(?!\d)", done.output)]
        if done.status and len(named) == 1:
            rest = [chain for chain in chains if chain is not named[0]]
            return {**self.outcomes(named, mode), **self.outcomes(rest, mode)}
        half = len(chains) // 2
        return {**self.outcomes(chains[:half], mode), **self.outcomes(chains[half:], mode)}

    def is_suspicious(self, seconds, count, mode):
        """Whether one of the chains may be slow."""
        averages = self.averages.setdefault(mode, [])
        usual = statistics.median(averages) if len(averages) > 4 else USUAL
        averages.append(seconds / count)
        return seconds > 1.5 * usual * count + SUSPICIOUS

    def outcome(self, chain, mode, done, seconds):
        if done.status and seconds >= TOO_LONG: return Outcome("slow", f"not built in {TOO_LONG} s", seconds)
        if done.status: return Outcome("crash", reason(done.output), seconds)
        if seconds >= TOO_LONG: return Outcome("slow", f"{seconds:.0f} s", seconds)
        if seconds < NEGLIGIBLE or not chain.links: return Outcome("built", "", seconds)
        shorter = self.attempt([chain.without_last()], mode, 300)
        before = max(shorter.seconds - self.nothing(mode), 0.1)
        if shorter.status == 0 and seconds > TOO_MANY_TIMES * before:
            return Outcome("slow", f"{seconds:.1f} s; without its last operator {before:.1f} s", seconds)
        return Outcome("built", "", seconds)

    def all(self, chains, mode, batch):
        """The outcomes of many chains, a batch after the other, as each is known."""
        batches = [chains[start:start + batch] for start in range(0, len(chains), batch)]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for some, found in zip(batches, pool.map(lambda some: self.outcomes(some, mode), batches)):
                yield some, found

    def is_same(self, chain, mode, kind):
        """Whether a chain ends in that kind of trouble."""
        return self.outcomes([chain], mode)[chain.name].kind == kind
