"""What chains begin with, and the publishers in them: those that closures return, and those that are beside a chain."""

from values import changed, has_literal, literal, test

# What a chain begins with: its text, its output and its failure. They are kept by a `World`, or made on the spot.
SOURCES = [
    ("w.ints", "Int", "Never"), ("w.intsE", "Int", "E"), ("w.intsError", "Int", "any Error"),
    ("w.strings", "String", "Never"), ("w.stringsE", "String", "E"), ("w.bools", "Bool", "Never"),
    ("w.current", "Int", "Never"), ("w.currentE", "Int", "E"), ("w.currentString", "String", "Never"),
    ("w.isOn", "Bool", "Never"), ("w.optionals", "Int?", "Never"), ("w.lists", "[Int]", "Never"),
    ("w.model.$int", "Int", "Never"), ("w.model.$string", "String", "Never"), ("w.model.$bool", "Bool", "Never"),
    ("w.model.$ints", "[Int]", "Never"), ("w.model.$optional", "Int?", "Never"),
    ("w.erased", "Int", "Never"), ("w.erasedE", "Int", "E"), ("w.future", "Int", "Never"), ("w.futureE", "Int", "E"),
    ("w.relay", "Int", "Never"), ("w.currentRelay", "Int", "Never"), ("w.replay", "Int", "E"), ("w.last", "Int", "Never"),
    ("Just(1)", "Int", "Never"), ('Just("a")', "String", "Never"), ("[1, 2, 3].publisher", "Int", "Never"),
    ("(1...9).publisher", "Int", "Never"), ("Optional<Int>.some(1).publisher", "Int", "Never"),
    ("Result<Int, E>.success(1).publisher", "Int", "E"), ("Fail<Int, E>(error: E())", "Int", "E"),
    ("Empty<Int, Never>()", "Int", "Never"), ("Record<Int, E>(output: [1, 2], completion: .finished)", "Int", "E"),
    ("Future<Int, E> { (promise: @escaping (Result<Int, E>) -> Void) -> Void in promise(.success(1)) }", "Int", "E"),
    ("Deferred { () -> PassthroughSubject<Int, Never> in w.ints }", "Int", "Never"),
    ("Deferred { () -> AnyPublisher<Int, E> in w.erasedE }", "Int", "E"),
    ("Deferred { () -> Just<Int> in Just(1) }", "Int", "Never"), ("Passing(upstream: w.ints)", "Int", "Never"),
    ("Passing(upstream: w.currentE)", "Int", "E"), ("Publishers.MergeMany(w.ints, w.ints)", "Int", "Never"),
    ("w.ints.merge(with: w.ints)", "Int", "Never"), ("w.ints.makeConnectable().autoconnect()", "Int", "Never"),
    ("[w.erased, w.erased].merge()", "Int", "Never"), ("[w.intsE, w.intsE].combineLatest()", "[Int]", "E"),
    ("[w.ints, w.ints].zip()", "[Int]", "Never"), ("[w.ints, w.ints].concat()", "Int", "Never"),
    ("[w.ints, w.ints].flatMapBatches(of: 2)", "[Int]", "Never"),
    ("[w.erased, w.erased].amb()", "Int", "Never"),
    ("AnyPublisher<Int, E>.create { (emitter: Publishers.Emitter<Int, E>) -> any Cancellable in\n"
     "      _ = emitter.send(1)\n      return AnyCancellable {}\n    }", "Int", "E"),
    ("AsyncStream<Int> { $0.finish() }.publisher", "Int", "Never"),
    ("NotificationCenter.default.publisher(for: Notification.Name(\"a\")).map { (x: Notification) -> String in x.name.rawValue }",
     "String", "Never"),
    ("Timer.publish(every: 1, on: .main, in: .common).autoconnect().map { (x: Date) -> Int in weight(x) }", "Int", "Never"),
]
# Roster entries that sources cover, by the words that tell.
SOURCE_WORDS = {
    ".merge()": "merge()", ".combineLatest()": "combineLatest()", ".zip()": "zip()", ".concat()": "concat()", ".flatMapBatches": "flatMapBatches(of:)",
    ".amb()": "amb()", ".create {": "create(bufferSize:whenFull:_:)", ".publisher": "publisher",
    ".makeConnectable()": "makeConnectable()", ".autoconnect()": "autoconnect()", ".merge(with": "merge(with:)",
}
# Those that the checked family can begin with.
CHECKED_SOURCES = [
    ("w.ints.sendable", "Int", "Never"), ("w.intsE.sendable", "Int", "E"), ("w.current.sendable", "Int", "Never"),
    ("w.currentString.sendable", "String", "Never"), ("Just(1).sendable", "Int", "Never"),
    ("w.isOn.sendable", "Bool", "Never"), ("w.futureE.sendable", "Int", "E"),
]


def subject(dice, output, failure):
    """A subject of a world, or one that is made on the spot."""
    kept = {
        ("Int", "Never"): "w.ints", ("Int", "E"): "w.intsE", ("Int", "any Error"): "w.intsError",
        ("String", "Never"): "w.strings", ("String", "E"): "w.stringsE", ("Bool", "Never"): "w.bools",
    }.get((output, failure))
    type = f"PassthroughSubject<{output}, {failure}>"
    return type, kept if kept and dice.random() < 0.8 else f"{type}()"


def plain(dice, output, failure, value, i):
    """A publisher without operators: its type, and an expression of it that may use `value`, of the type `output`."""
    kinds = ["sequence", "subject", "current", "deferred", "future", "empty", "fail", "erased", "result", "record", "own"]
    if failure == "Never": kinds += ["just", "just", "just"]
    else: kinds += ["set", "set"]
    kinds = [kind for kind in kinds if failure != "Never" or kind not in ("fail", "result")]
    kind = dice.choice(kinds)
    both = f"{output}, {failure}"
    error = ".noValue" if failure == "SingleValueError" else "E()"
    if kind == "just": return f"Just<{output}>", f"Just({value})"
    if kind == "set": return f"Publishers.SetFailureType<Just<{output}>, {failure}>", \
        f"Just({value}).setFailureType(to: {'(any Error)' if failure == 'any Error' else failure}.self)"
    if kind == "sequence":
        return f"Publishers.Sequence<[{output}], {failure}>", f"Publishers.Sequence<[{output}], {failure}>(sequence: [{value}])"
    if kind == "subject": return subject(dice, output, failure)
    if kind == "current": return f"CurrentValueSubject<{both}>", f"CurrentValueSubject<{both}>({value})"
    if kind == "deferred":
        type, text = plain(dice, output, failure, value, i)
        return f"Deferred<{type}>", f"Deferred {{ () -> {type} in {text} }}"
    if kind == "future":
        return f"Future<{both}>", \
            f"Future<{both}> {{ (promise: @escaping (Result<{both}>) -> Void) -> Void in promise(.success({value})) }}"
    if kind == "empty": return f"Empty<{both}>", f"Empty<{both}>(completeImmediately: {dice.choice(['true', 'false'])})"
    if kind == "fail": return f"Fail<{both}>", f"Fail<{both}>(error: {error})"
    if kind == "result":
        return f"Result<{both}>.Publisher", f"Result<{both}>.success({value}).publisher"
    if kind == "record": return f"Record<{both}>", f"Record<{both}>(output: [{value}], completion: .finished)"
    if kind == "own":
        type, text = plain(dice, output, failure, value, i)
        return f"Passing<{type}>", f"Passing(upstream: {text})"
    type, text = plain(dice, output, failure, value, i)
    return f"AnyPublisher<{both}>", f"{text}.eraseToAnyPublisher()"


def inner(dice, output, failure, value, i):
    """A publisher with up to two operators, whose type is written down all the same."""
    type, text = plain(dice, output, failure, value, i)
    for _ in range(dice.choice([0, 0, 0, 1, 2])):
        kind = dice.choice(["Map", "Filter", "CompactMap", "Scan", "Output", "Drop", "First"])
        x = changed(output, "y", i)
        if kind == "Map": type, text = f"Publishers.Map<{type}, {output}>", f"{text}.map {{ (y: {output}) -> {output} in {x} }}"
        elif kind == "Filter":
            type, text = f"Publishers.Filter<{type}>", f"{text}.filter {{ (y: {output}) -> Bool in {test(output, 'y', i)} }}"
        elif kind == "CompactMap":
            type, text = f"Publishers.CompactMap<{type}, {output}>", f"{text}.compactMap {{ (y: {output}) -> {output}? in {x} }}"
        elif kind == "Scan" and has_literal(output):
            type, text = f"Publishers.Scan<{type}, {output}>", \
                f"{text}.scan({literal(output, i)}) {{ (_: {output}, y: {output}) -> {output} in {x} }}"
        elif kind == "Output": type, text = f"Publishers.Output<{type}>", f"{text}.prefix({i + 1})"
        elif kind == "Drop": type, text = f"Publishers.Drop<{type}>", f"{text}.dropFirst()"
        elif kind == "First": type, text = f"Publishers.First<{type}>", f"{text}.first()"
    if dice.random() < 0.15: type, text = f"AnyPublisher<{output}, {failure}>", f"{text}.eraseToAnyPublisher()"
    return type, text
