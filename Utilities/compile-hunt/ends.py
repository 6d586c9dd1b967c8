"""What a chain ends with: the function around it, for each kind of end."""

import values
from links import fails, literal, never_fails, sendable

LABELS = {"Int": "int", "String": "string", "Bool": "bool", "[Int]": "ints", "Int?": "optional"}


class End:
    """A kind of end. `text` is what follows the chain; `before` and `after` are statements around it.

    `{T}` and `{F}` are the output and the failure, and `{L}` the property of a `Label` or a `Model` of that type.
    """

    def __init__(self, name, covers, text, when=lambda c: True, head="public func {name}(_ w: World) -> AnyCancellable",
                 before="", after="", bound="", checked=True):
        self.name, self.covers, self.text, self.when, self.head = name, covers, text, when, head
        self.before, self.after, self.bound, self.checked = before, after, bound, checked

    def fits(self, context):
        return (self.checked or not context.checked) and self.when(context)

    def program(self, name, links, context):
        def filled(text):
            return text.replace("{name}", name).replace("{T}", context.output).replace("{F}", context.failure).replace(
                "{L}", LABELS.get(context.output, ""))

        lines = [line for line in [
            filled(self.before), self.bound + "\n    ".join([*links, *([filled(self.text)] if self.text else [])]),
            filled(self.after)] if line]
        return f"{filled(self.head)} {{\n  " + "\n  ".join(lines) + "\n}\n"


def labelled(c):
    return never_fails(c) and literal(c)


def sent(c):
    return never_fails(c) and sendable(c)


NOTHING = "public func {name}(_ w: World)"
ASYNC = "public func {name}(_ w: World) async"
LOOP = "for await x in values {\n    note(x)\n  }"
VALUE = "receiveValue: { (x: {T}) -> Void in note(x) }"
COMPLETION = "receiveCompletion: { (c: Subscribers.Completion<{F}>) -> Void in note(c) }"
SINK = "sink(receiveCompletion:receiveValue:)"
ON_ACTOR = "sink(on:limit:receiveCompletion:receiveValue:)"
ASSIGN = "assign(to:on:)"
ANY = ("AnySubscriber<{T}, {F}>(\n      receiveSubscription: { $0.request(.unlimited) }, "
       "receiveValue: { (x: {T}) -> Subscribers.Demand in note(x); return .none })")
SUBSCRIBER = "subscribe(_:)"

ENDS = [
    End("sink", "sink(receiveValue:)", ".sink { (x: {T}) -> Void in note(x) }", never_fails),
    End("sink with completion", SINK, f".sink({COMPLETION}, {VALUE})"),
    End("sink that is stored", SINK, f".sink({COMPLETION}, {VALUE})\n    .store(in: &w.cancellables)", head=NOTHING),
    End("sink with weak owner", "sink(receiveValue:)", ".sink { [weak label = w.label] (x: {T}) -> Void in label?.int &+= weight(x) }",
        never_fails),
    End("pausableSink", "pausableSink(receiveCompletion:receiveValue:)",
        f".pausableSink({COMPLETION}, receiveValue: {{ (x: {{T}}) -> Bool in weight(x) > 1 }})",
        head="public func {name}(_ w: World) -> any Pausable & Cancellable"),
    End("assign(to:on:)", ASSIGN, r".assign(to: \.{L}, on: w.label)", labelled),
    End("assign(to:on:) of a model", ASSIGN, r".assign(to: \.{L}, on: w.model)", labelled),
    End("assign(to:)", "assign(to:)", ".assign(to: &w.model.${L})", labelled, head=NOTHING),
    End("assign with ownership", "assign(to:on:ownership:)", r".assign(to: \.{L}, on: w.label, ownership: .weak)", labelled),
    End("assign to two", "assign(to:on:and:on:ownership:)",
        r".assign(to: \.{L}, on: w.label, and: \.{L}, on: w.model)", labelled),
    End("assign to three", "assign(to:on:and:on:and:on:ownership:)",
        r".assign(to: \.{L}, on: w.label, and: \.{L}, on: w.model, and: \.{L}, on: w.label)", labelled),
    End("subscribe of a subject", SUBSCRIBER, ".subscribe(PassthroughSubject<{T}, {F}>())", sendable),
    End("subscribe of a current value", SUBSCRIBER, ".subscribe(w.current)", lambda c: never_fails(c) and c.output == "Int"),
    End("subscribe of a relay", SUBSCRIBER, ".subscribe(PassthroughRelay<{T}>())", sent),
    End("subscribe of a Sink", SUBSCRIBER, f".subscribe(Subscribers.Sink<{{T}}, {{F}}>({COMPLETION}, {VALUE}))", head=NOTHING,
        checked=False),
    End("subscribe of a Sink that is kept", SUBSCRIBER, ".subscribe(sink)", before=
        f"let sink = Subscribers.Sink<{{T}}, {{F}}>({COMPLETION}, {VALUE})", after="return AnyCancellable(sink)", checked=False),
    End("subscribe of an Assign", SUBSCRIBER, r".subscribe(Subscribers.Assign<Label, {T}>(object: w.label, keyPath: \.{L}))",
        labelled, head=NOTHING, checked=False),
    End("subscribe of an AnySubscriber", SUBSCRIBER, f".subscribe({ANY})", head=NOTHING, checked=False),
    End("subscribe of an erased own", SUBSCRIBER, ".subscribe(AnySubscriber(Own<{T}, {F}>()))", head=NOTHING, checked=False),
    End("subscribe of an own", SUBSCRIBER, ".subscribe(Own<{T}, {F}>())", head=NOTHING, checked=False),
    End("subscribe of an own value", SUBSCRIBER, ".subscribe(Plain<{T}, {F}>())", head=NOTHING, checked=False),
    End("subscribe of an unknown", SUBSCRIBER, ".subscribe(subscriber)", head=
        "public func {name}<S: Subscriber>(_ w: World, _ subscriber: S) where S.Input == {T}, S.Failure == {F}", checked=False),
    End("receive(subscriber:)", "receive(subscriber:)", ".receive(subscriber: Own<{T}, {F}>())", head=NOTHING, checked=False),
    End("values", "values", ".values", never_fails, head=ASYNC, bound="let values = ", after=LOOP),
    End("throwing values", "values", ".values", fails, head=ASYNC + " throws", bound="let values = ",
        after=LOOP.replace("await", "try await")),
    End("values with a buffer", "values(buffering:onDrop:)", ".values(buffering: .newest(4))",
        never_fails, head=ASYNC, bound="let values = ", after=LOOP, checked=False),
    End("sink of concurrent calls", "sink(maxConcurrent:priority:receiveValue:)",
        ".sink(maxConcurrent: 2) { (x: {T}) async -> Void in _ = weight(x) }", sent),
    End("sink of concurrent calls with completion", "sink(maxConcurrent:priority:receiveCompletion:receiveValue:)",
        ".sink(maxConcurrent: 2, receiveCompletion: { (c: Subscribers.Completion<any Error>) -> Void in },"
        " receiveValue: { (x: {T}) async throws -> Void in _ = weight(x) })", sendable),
    End("forEach", "forEach(maxConcurrent:priority:_:)", ".forEach(maxConcurrent: 2) { (x: {T}) async -> Void in _ = weight(x) }",
        sent, head=ASYNC, bound="await "),
    End("sink(on:) of an actor", "sink(on:limit:receiveValue:)",
        ".sink(on: w.worker) { (a: isolated Worker, x: {T}) -> Void in a.take(weight(x)) }", sent),
    End("sink(on:) of an actor with completion", ON_ACTOR,
        ".sink(on: w.worker, receiveCompletion: { (a: isolated Worker, c: Subscribers.Completion<{F}>) -> Void in a.take(1) },"
        " receiveValue: { (a: isolated Worker, x: {T}) -> Void in a.take(weight(x)) })", sendable),
    End("sink(on:) of the main actor", "sink(on:limit:receiveValue:)",
        ".sink(on: MainActor.shared) { @MainActor (x: {T}) -> Void in note(x) }", sent),
    End("sink(on:) of the main actor with completion", ON_ACTOR,
        f".sink(on: MainActor.shared, {COMPLETION}, {VALUE})".replace("{ (", "{ @MainActor ("), sendable),
    End("sink(isolation:)", "sink(isolation:limit:receiveValue:)",
        ".sink(isolation: actor) { (x: {T}) -> Void in note(x) }", sent,
        head="public func {name}(_ w: World, _ actor: isolated any Actor) -> AnyCancellable"),
    End("sink(isolation:) with completion", "sink(isolation:limit:receiveCompletion:receiveValue:)",
        f".sink(isolation: actor, {COMPLETION}, {VALUE})", sendable,
        head="public func {name}(_ w: World, _ actor: isolated any Actor) -> AnyCancellable"),
    End("assign(to:on:isolation:)", "assign(to:on:isolation:)", r".assign(to: \.{L}, on: w.label, isolation: MainActor.shared)",
        labelled, head="@MainActor public func {name}(_ w: World) -> AnyCancellable"),
    End("multicast and connect", "multicast(subject:) connect()", ".multicast(subject: PassthroughSubject<{T}, {F}>())",
        bound="let shared = ", after=f"w.kept = shared.sink({COMPLETION}, {VALUE})\n  return AnyCancellable(shared.connect())",
        checked=False),
    End("multicast of a closure and connect", "multicast(_:) connect()",
        ".multicast { () -> PassthroughSubject<{T}, {F}> in PassthroughSubject<{T}, {F}>() }",
        bound="let shared = ", after="shared.subscribe(Own<{T}, {F}>())\n  return AnyCancellable(shared.connect())",
        checked=False),
    End("makeConnectable and connect", "makeConnectable() connect()", ".makeConnectable()", never_fails,
        bound="let shared = ", after=f"w.kept = shared.sink({VALUE})\n  return AnyCancellable(shared.connect())",
        checked=False),
    End("record", "record(_:demand:atEnd:file:line:) record(_:timedBy:demand:atEnd:file:line:)", "",
        head="public func {name}(_ w: World) -> Recording<{T}, {F}>", bound="let chain = ",
        after="_ = chain.record(atEnd: [])\n  return chain.record(timedBy: ImmediateScheduler.shared)", checked=False),
    End("erased", "eraseToAnyPublisher()", ".eraseToAnyPublisher()", head="public func {name}(_ w: World) -> AnyPublisher<{T}, {F}>",
        checked=False),
    End("returned", "", "", head="public func {name}(_ w: World) -> some Publisher<{T}, {F}>", checked=False),
    End("two sinks", SINK, "", bound="let chain = ",
        after=f"w.kept = chain.sink({COMPLETION}, {VALUE})\n  return chain.sink({COMPLETION}, {VALUE})", checked=False),
]
