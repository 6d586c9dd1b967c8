"""Operators of one stream and a closure, or a number."""

import values
from links import Operator, fails, failing, group, into, is_output, literal, never_fails, same


def map_(c):
    type = c.any_type()
    return f".map {c.closure(type, c.converted(type))}", type, c.failure


def try_map(c):
    type = c.any_type()
    body = f"if {values.test(c.output, 'x', c.i)} {{ throw E() }}; return {c.converted(type)}"
    return f".tryMap {c.closure(type, body, True)}", type, "any Error"


def try_map_skipping(c):
    text, type, _ = try_map(c)
    return text.replace(".tryMap ", f".tryMap(skippingFailures: {{ (_: any Error, _: {c.output}) -> Void in }}) "), type, c.failure


def key_path(c):
    path, type = {
        "Int": (r"\Int.description", "String"), "String": (r"\String.utf8.count", "Int"), "[Int]": (r"\[Int].count", "Int"),
    }[c.output]
    return f".map({path})", type, c.failure


def key_paths(count):
    def write(c):
        paths = [r"\Int.description", r"\Int.bitWidth", r"\Int.byteSwapped"][:count]
        return f".map({', '.join(paths)})", f"({', '.join(['String', 'Int', 'Int'][:count])})", c.failure
    return write


def compact_map(name, throws):
    def write(c):
        type = c.dice.choice(["Int", "String"])
        return f".{name} {c.closure(type + '?', c.converted(type), throws)}", type, "any Error" if throws else c.failure
    return write


def fold(name, throws):
    def write(c):
        start, type = (c.literal, c.output) if c.has_literal and c.dice.random() < 0.6 else (c.i, "Int")
        body = values.changed(type, "sum", c.i) if type == c.output else f"sum &+ {values.converted(c.output, 'x', 'Int', 1)}"
        closure = f"{{ (sum: {type}, x: {c.output}){' throws' if throws else ''} -> {type} in {body} }}"
        return f".{name}({start}) {closure}", type, "any Error" if throws else c.failure
    return write


def replace_error(c):
    return f".replaceError(with: {c.literal})", c.output, "Never"


def map_error(c):
    type = c.dice.choice(["E", "any Error"])
    return f".mapError {{ (e: {c.failure}) -> {type} in E() }}", c.output, type


def set_failure_type(c):
    type = c.dice.choice(["E", "any Error"])
    return f".setFailureType(to: {'E' if type == 'E' else '(any Error)'}.self)", c.output, type


def collected(write):
    return lambda c: (write(c), f"[{c.output}]", c.failure)


def buffer(c):
    full = c.dice.choice([".dropOldest", ".dropNewest"] + ([".customError({ () -> E in E() })"] if c.failure == "E" else []))
    return f".buffer(size: {c.i + 1}, prefetch: {c.dice.choice(['.byRequest', '.keepFull'])}, whenFull: {full})"


def materialized(c):
    return f".materialize()", f"Subscribers.Event<{c.output}, {c.failure}>", "Never"


def of_event(text, part):
    def write(c):
        value, failure = c.output.removeprefix("Subscribers.Event<").removesuffix(">").rsplit(", ", 1)
        return {
            "value": (text, value, c.failure), "failure": (text, failure, c.failure), "both": (text, value, failure),
        }[part]
    return write


def is_event(c):
    return c.output.startswith("Subscribers.Event<")


def has_failing_event(c):
    return is_event(c) and not c.output.endswith("Never>")


def scan_into(c):
    return f".scan(into: {c.i}) {{ (sum: inout Int, x: {c.output}) -> Void in sum &+= {values.converted(c.output, 'x', 'Int', 1)} }}"


def map_to_value(c):
    type = c.any_type()
    return f".mapToValue({values.literal(type, c.i)})", type, c.failure


def set_output(call):
    return lambda c: (f".{call}Int.self)", "Int", c.failure)


def comparable(c):
    return c.output in values.COMPARABLE


NO_OUTPUT = is_output("Never")

OPERATORS = [
    Operator("map(_:)", map_, likely=4),
    Operator("map(_:)", key_path, is_output("Int", "String", "[Int]")),
    Operator("map(_:_:)", key_paths(2), is_output("Int")),
    Operator("map(_:_:_:)", key_paths(3), is_output("Int")),
    Operator("tryMap(_:)", try_map, likely=2),
    Operator("filter(_:)", same(lambda c: f".filter {c.test()}"), likely=3),
    Operator("tryFilter(_:)", failing(lambda c: f".tryFilter {c.test(True)}")),
    Operator("compactMap(_:)", compact_map("compactMap", False), likely=2),
    Operator("tryCompactMap(_:)", compact_map("tryCompactMap", True)),
    Operator("scan(_:_:)", fold("scan", False), likely=2),
    Operator("tryScan(_:_:)", fold("tryScan", True)),
    Operator("reduce(_:_:)", fold("reduce", False)),
    Operator("tryReduce(_:_:)", fold("tryReduce", True)),
    Operator("scan(into:_:)", into("Int", scan_into)),
    Operator("mapError(_:)", map_error, fails, likely=3),
    Operator("setFailureType(to:)", set_failure_type, never_fails),
    Operator("replaceError(with:)", replace_error, lambda c: literal(c) and fails(c), likely=2),
    Operator("replaceNil(with:)", into("Int", lambda c: f".replaceNil(with: {c.i})"), is_output("Int?"), likely=3),
    Operator("replaceEmpty(with:)", same(lambda c: f".replaceEmpty(with: {c.literal})"), literal),
    Operator("assertNoFailure(_:file:line:)", lambda c: (".assertNoFailure()", c.output, "Never"), fails),
    Operator("ignoreFailure()", lambda c: (".ignoreFailure()", c.output, "Never"), fails),
    Operator("ignoreFailure(completeImmediately:)",
             lambda c: (".ignoreFailure(completeImmediately: false)", c.output, "Never"), fails),
    Operator("ignoreFailure(setFailureType:completeImmediately:)",
             lambda c: (".ignoreFailure(setFailureType: E.self, completeImmediately: true)", c.output, "E"), fails),
    Operator("ignoreFailure(setFailureType:)", lambda c: (".ignoreFailure(setFailureType: E.self)", c.output, "E"), fails),
    Operator("retry(_:)", same(lambda c: f".retry({c.i % 3})"), fails),
    Operator("collect()", collected(lambda c: ".collect()")),
    Operator("collect(_:)", collected(lambda c: f".collect({c.i + 1})")),
    Operator("ignoreOutput()", into("Never", lambda c: ".ignoreOutput()")),
    Operator("ignoreOutput(setOutputType:)", set_output("ignoreOutput(setOutputType: ")),
    Operator("setOutputType(to:)", set_output("setOutputType(to: "), NO_OUTPUT, likely=20),
    Operator("count()", into("Int", lambda c: ".count()")),
    Operator("contains(_:)", into("Bool", lambda c: f".contains({c.literal})"), literal),
    Operator("contains(where:)", into("Bool", lambda c: f".contains(where: {c.test()})")),
    Operator("tryContains(where:)", failing(lambda c: f".tryContains(where: {c.test(True)})", "Bool")),
    Operator("allSatisfy(_:)", into("Bool", lambda c: f".allSatisfy {c.test()}")),
    Operator("tryAllSatisfy(_:)", failing(lambda c: f".tryAllSatisfy {c.test(True)}", "Bool")),
    Operator("min()", same(lambda c: ".min()"), comparable), Operator("max()", same(lambda c: ".max()"), comparable),
    Operator("min(by:)", same(lambda c: f".min(by: {c.order()})")),
    Operator("max(by:)", same(lambda c: f".max(by: {c.order()})")),
    Operator("tryMin(by:)", failing(lambda c: f".tryMin(by: {c.order(True)})")),
    Operator("tryMax(by:)", failing(lambda c: f".tryMax(by: {c.order(True)})")),
    Operator("first()", same(lambda c: ".first()")), Operator("last()", same(lambda c: ".last()")),
    Operator("first(where:)", same(lambda c: f".first(where: {c.test()})")),
    Operator("last(where:)", same(lambda c: f".last(where: {c.test()})")),
    Operator("tryFirst(where:)", failing(lambda c: f".tryFirst(where: {c.test(True)})")),
    Operator("tryLast(where:)", failing(lambda c: f".tryLast(where: {c.test(True)})")),
    Operator("output(at:)", same(lambda c: f".output(at: {c.i})")),
    Operator("output(in:)", same(lambda c: f".output(in: {c.i}...{c.i + 3})")),
    Operator("prefix(_:)", same(lambda c: f".prefix({c.i + 2})"), likely=2),
    Operator("prefix(while:)", same(lambda c: f".prefix(while: {c.test()})")),
    Operator("tryPrefix(while:)", failing(lambda c: f".tryPrefix(while: {c.test(True)})")),
    Operator("prefix(while:behavior:)", same(lambda c: f".prefix(while: {c.test()}, behavior: .inclusive)")),
    Operator("dropFirst(_:)", same(lambda c: f".dropFirst({c.i % 3})"), likely=2),
    Operator("drop(while:)", same(lambda c: f".drop(while: {c.test()})")),
    Operator("tryDrop(while:)", failing(lambda c: f".tryDrop(while: {c.test(True)})")),
    Operator("takeLast(_:)", same(lambda c: f".takeLast({c.i})")),
    Operator("dropLast(_:)", same(lambda c: f".dropLast({c.i})")),
    Operator("single()", lambda c: (".single()", c.output, "SingleValueError"), never_fails),
    Operator("single(failingWith:)", same(lambda c: ".single { (e: SingleValueError) -> E in E() }"),
             lambda c: c.failure == "E"),
    Operator("compactMap(as:)", into("Int", lambda c: ".compactMap(as: Int.self)"), is_output("Int")),
    Operator("apply(_:)", same(lambda c: f".apply {{ $0.filter {c.test()} }}")),
    Operator("onStart(_:)", same(lambda c: ".onStart { note(1) }")),
    Operator("finally(_:)", same(lambda c: ".finally { note(1) }")),
    Operator("trackActivity(_:)", same(lambda c: ".trackActivity(w.tracker)")),
    Operator("prefix(untilDeinitOf:)", same(lambda c: ".prefix(untilDeinitOf: w.lifetime)")),
    Operator("prefix(untilDeinitOf:)", same(lambda c: ".prefix(untilDeinitOf: w.label)")),
    Operator("append(_:)", same(lambda c: f".append({c.literal}, {c.literal})"), literal),
    Operator("append(_:)", same(lambda c: f".append([{c.literal}])"), literal),
    Operator("prepend(_:)", same(lambda c: f".prepend({c.literal}, {c.literal})"), literal),
    Operator("prepend(_:)", same(lambda c: f".prepend([{c.literal}])"), literal),
    Operator("removeDuplicates()", same(lambda c: ".removeDuplicates()"), literal, likely=3),
    Operator("removeDuplicates(by:)", same(lambda c: f".removeDuplicates(by: {c.same()})")),
    Operator("tryRemoveDuplicates(by:)", failing(lambda c: f".tryRemoveDuplicates(by: {c.same(True)})")),
    Operator("removeAllDuplicates()", same(lambda c: ".removeAllDuplicates()"), literal),
    Operator("removeAllDuplicates(by:)", same(lambda c: f".removeAllDuplicates(by: {c.same()})")),
    Operator("buffer(size:prefetch:whenFull:)", same(buffer)),
    Operator("tryMap(skippingFailures:_:)", try_map_skipping),
    Operator("checkpoint(_:file:line:)",
             lambda c: (f".checkpoint(\"{c.i}\").mapError {{ (_) -> E in E() }}", c.output, "E"), fails),
    Operator("limitRequests(to:refillAt:)", same(lambda c: f".limitRequests(to: {c.i + 1})")),
    Operator("buffer(upTo:resumingAt:)", same(lambda c: f".buffer(upTo: {c.i + 1}, resumingAt: {c.i})")),
    Operator("buffer(weight:resumingAt:weightOf:)", same(lambda c: f".buffer(weight: {c.i + 1}) {c.closure('Int', 'weight(x)')}")),
    Operator("coalesce(_:)",
             same(lambda c: f".coalesce {{ (x: {c.output}, y: {c.output}) -> {c.output} in weight(x) > 1 ? x : y }}")),
    Operator("coalesce(into:reduce:)",
             lambda c: (f".coalesce(into: 0) {{ (r: inout Int, x: {c.output}) -> Void in r += weight(x) }}", "Int", c.failure)),
    Operator("pausable(by:whenClosed:)",
             same(lambda c: f".pausable(by: w.isOn{'.sendable' if c.checked else ''}, "
                            f"whenClosed: {c.dice.choice(['.keep', '.drop'])})")),
    Operator("encode(encoder:)", failing(lambda c: ".encode(encoder: JSONEncoder())", "Data"), literal),
    Operator("decode(type:decoder:)", failing(lambda c: ".decode(type: Int.self, decoder: JSONDecoder())", "Int"),
             is_output("Data"), likely=80),
    Operator("eraseToAnyPublisher()", same(lambda c: ".eraseToAnyPublisher()"), checked=False, likely=2),
    Operator("print(_:to:)", same(lambda c: f'.print("{c.i}")')),
    Operator("breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)",
             same(lambda c: f".breakpoint(receiveOutput: {c.test()})")),
    Operator("breakpointOnError()", same(lambda c: ".breakpointOnError()")),
    Operator("handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)",
             same(lambda c: f".handleEvents(receiveOutput: {c.closure('Void', 'note(x)')})"), likely=2),
    Operator("handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)",
             same(lambda c: ".handleEvents(receiveCompletion: { note($0) }, receiveCancel: { note(1) })")),
    # What Combine does not have.
    Operator("toggle()", same(lambda c: ".toggle()"), is_output("Bool"), likely=3),
    Operator("not()", same(lambda c: ".not()"), is_output("Bool"), likely=3),
    Operator("combinePrevious(_:)",
             lambda c: (f".combinePrevious({c.literal})", f"({c.output}, {c.output})", c.failure), literal),
    Operator("pairwise()", lambda c: (".pairwise()", f"({c.output}, {c.output})", c.failure)),
    Operator("nwise(_:)", collected(lambda c: f".nwise({c.i % 3 + 1})")),
    Operator("window(count:)", same(lambda c: f".window(count: {c.i + 1}).flatMap {{ $0 }}")),
    Operator("grouped(by:maxGroups:buffer:whenFull:)",
             lambda c: (f".grouped {{ (x: {c.output}) -> Int in weight(x) }}.flatMap {{ {group(c)} }}", c.output,
                        "any Error")),
    Operator("chunked(by:)", collected(lambda c: f".chunked {{ (x: {c.output}, y: {c.output}) -> Bool in weight(x) < weight(y) }}")),
    Operator("chunked(on:)", lambda c: (f".chunked {{ (x: {c.output}) -> Int in weight(x) }}", f"(Int, [{c.output}])", c.failure)),
    Operator("collect(while:)", collected(lambda c: f".collect(while: {c.test()})")),
    Operator("enumerated()", lambda c: (".enumerated()", f"(index: Int, element: {c.output})", c.failure)),
    Operator("intersperse(_:)", same(lambda c: f".intersperse({c.literal})"), literal),
    Operator("unwrap()", into("Int", lambda c: ".unwrap()"), is_output("Int?"), likely=3),
    Operator("filterMany(_:)", same(lambda c: f".filterMany {{ (x: Int) -> Bool in x > {c.i} }}"), is_output("[Int]"), likely=3),
    Operator("mapMany(_:)", same(lambda c: f".mapMany {{ (x: Int) -> Int in x &+ {c.i} }}"), is_output("[Int]"), likely=3),
    Operator("mapToValue(_:)", map_to_value), Operator("mapToVoid()", into("Void", lambda c: ".mapToVoid()")),
    Operator("mapToResult()", lambda c: (".mapToResult()", f"Result<{c.output}, {c.failure}>", "Never")),
    Operator("materialize()", materialized, likely=2),
    Operator("dematerialize()", of_event(".dematerialize()", "both"), lambda c: is_event(c) and never_fails(c), likely=20),
    Operator("values()", of_event(".values()", "value"), is_event, checked=False, likely=10),
    Operator("failures()", of_event(".failures()", "failure"), has_failing_event, likely=10),
    Operator("partition(_:)", same(lambda c: f".partition({c.test()}).{c.dice.choice(['matches', 'nonMatches'])}")),
    Operator("repeat(_:)", same(lambda c: f".repeat({c.i + 1})")), Operator("repeat()", same(lambda c: ".repeat()")),
    Operator("withUnretained(_:)",
             lambda c: (".withUnretained(w.label)", f"(Label, {c.output})", c.failure)),
    Operator("withUnretained(_:resultSelector:)", into(
        "Int", lambda c: f".withUnretained(w.label) {{ (label: Label, x: {c.output}) -> Int in label.int &+ weight(x) }}")),
]
