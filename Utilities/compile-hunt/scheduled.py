"""Operators with schedulers, actors and tasks."""

import values
from links import Operator, fails, failing, group, literal, never_fails, same, sendable

SCHEDULERS = [
    "DispatchQueue.main", "DispatchQueue.main", "w.scheduler", "RunLoop.main", "OperationQueue.main",
    "ImmediateScheduler.shared", "TaskScheduler(clock: ContinuousClock())",
    "LoopScheduler { $0() }", "TrampolineScheduler()",
]


def scheduler(c):
    """Of the checked family only what is Sendable."""
    return c.dice.choice([s for s in SCHEDULERS if not c.checked or "Run" not in s and "Operation" not in s])


def timed(text):
    return same(lambda c: text.replace("{time}", f".milliseconds({c.i + 1})").replace("{scheduler}", scheduler(c)))


def timeout(c):
    custom = ", customError: { () -> E in E() }" if c.failure == "E" else ""
    return f".timeout(.seconds({c.i + 1}), scheduler: {scheduler(c)}{custom})"


def measure(c):
    return f".measureInterval(using: DispatchQueue.main)", "DispatchQueue.SchedulerTimeType.Stride", c.failure


def collect(c):
    time = f"DispatchQueue.main, .milliseconds({c.i + 1})"
    strategy = c.dice.choice([f".byTime({time})", f".byTimeOrCount({time}, {c.i + 1})"])
    return f".collect({strategy})", f"[{c.output}]", c.failure


def collect_by_weight(c):
    limits = f"upTo: {c.i + 1}, weight: {c.i + 9}, within: .milliseconds({c.i + 1}), scheduler: DispatchQueue.main"
    return f".collect({limits}) {{ (x: {c.output}) -> Int in weight(x) }}", f"[{c.output}]", c.failure


def window_for(c):
    return f".window(for: .milliseconds({c.i + 1}), scheduler: DispatchQueue.main).flatMap {{ $0 }}"


def grouped_idle(c):
    key = f"{{ (x: {c.output}) -> Int in weight(x) }}"
    time = f"idleAfter: .milliseconds({c.i + 1}), scheduler: DispatchQueue.main"
    return f".grouped(by: {key}, {time}).flatMap {{ {group(c)} }}", c.output, "any Error"


def map_async(c):
    type = c.dice.choice(["Int", "String"])
    failure = c.failure if c.failure != "Never" else c.dice.choice(["Never", "E"])
    throws = {"Never": "", "any Error": " throws"}.get(failure, f" throws({failure})")
    return f".mapAsync {{ (x: {c.output}) async{throws} -> {type} in {c.converted(type)} }}", type, failure


def try_map_async(c):
    return f".tryMapAsync {{ (x: {c.output}) async throws -> Int in {c.converted('Int')} }}"


def map_async_by_key(c):
    text, type, failure = map_async(c)
    return text.replace(".mapAsync", f".mapAsync(maxTasks: .max({c.i + 1}), by: {{ weight($0) }})"), type, failure


def try_map_async_by_key(c):
    return try_map_async(c).replace(".tryMapAsync", f".tryMapAsync(maxTasks: .max({c.i + 1}), by: {{ weight($0) }})")


def flat_map_async(c):
    return f".flatMap {{ (x: {c.output}) async -> Just<Int> in Just({c.converted('Int')}) }}", "Int", "Never"


def actor_events(c):
    return f".handleEvents(on: w.worker, receiveOutput: {{ (a: isolated Worker, x: {c.output}) -> Void in a.take(weight(x)) }})"


def delivered(text):
    """Deliveries of weights, and an operator that takes them."""
    return lambda c: (f".map {{ (x: {c.output}) -> Parcel in Parcel(payload: weight(x)) }}" + text, "Int", c.failure)


DELAYED_RETRY = "delay: {time}, scheduler: {scheduler}"

OPERATORS = [
    Operator("debounce(for:scheduler:options:)", timed(".debounce(for: {time}, scheduler: {scheduler})")),
    Operator("delay(for:tolerance:scheduler:options:)", timed(".delay(for: {time}, scheduler: {scheduler})")),
    Operator("throttle(for:scheduler:latest:)", timed(".throttle(for: {time}, scheduler: {scheduler}, latest: true)")),
    Operator("timeout(_:scheduler:options:customError:)", same(timeout)),
    Operator("measureInterval(using:options:)", measure),
    Operator("receive(on:options:)", timed(".receive(on: {scheduler})"), likely=3),
    Operator("subscribe(on:options:)", timed(".subscribe(on: {scheduler})"), likely=2),
    Operator("receive(on:)", same(lambda c: f".receive(on: {c.dice.choice(['w.worker', 'MainActor.shared', 'w.executor'])})")),
    Operator("collect(_:options:)", collect),
    Operator("collect(upTo:weight:within:scheduler:options:weightOf:)", collect_by_weight),
    Operator("pace(_:per:burst:scheduler:options:)", timed(".pace(5, per: {time}, burst: 3, scheduler: {scheduler})")),
    Operator("pace(_:per:burst:scheduler:options:cost:)",
             same(lambda c: f".pace(5, per: .milliseconds({c.i + 1}), burst: 3, scheduler: {scheduler(c)}) "
                            f"{{ (x: {c.output}) -> Int in weight(x) }}")),
    Operator("delaySubscription(for:tolerance:scheduler:options:)",
             timed(".delaySubscription(for: {time}, scheduler: {scheduler})")),
    Operator("timeout(first:scheduler:options:customError:)", same(lambda c: timeout(c).replace("timeout(", "timeout(first: "))),
    Operator("stalled(after:scheduler:options:customError:)",
             same(lambda c: timeout(c).replace("timeout(", "stalled(after: "))),
    Operator("timestamp(using:)", lambda c: (
        f".timestamp(using: DispatchQueue.main)", f"(value: {c.output}, time: DispatchQueue.SchedulerTimeType)", c.failure)),
    Operator("debounce(for:scheduler:options:)", same(lambda c:
        f".debounce(for: {{ (x: {c.output}) -> DispatchQueue.SchedulerTimeType.Stride in .milliseconds(weight(x)) }}, "
        f"scheduler: DispatchQueue.main)")),
    Operator("throttle(for:scheduler:leading:trailing:)",
             timed(".throttle(for: {time}, scheduler: {scheduler}, leading: true, trailing: false)")),
    Operator("throttle(for:scheduler:reducing:)", same(lambda c:
        f".throttle(for: .milliseconds({c.i + 1}), scheduler: {scheduler(c)}, "
        f"reducing: {{ (x: {c.output}, y: {c.output}) -> {c.output} in weight(x) > 1 ? x : y }})")),
    Operator("receive(on:upTo:options:)", timed(".receive(on: {scheduler}, upTo: 8)")),
    Operator("window(for:scheduler:options:)", same(window_for)),
    Operator("grouped(by:maxGroups:buffer:whenFull:idleAfter:scheduler:options:)", grouped_idle),
    Operator("prefix(duration:tolerance:on:options:)", timed(".prefix(duration: {time}, on: {scheduler})")),
    Operator("drop(duration:tolerance:on:options:)", timed(".drop(duration: {time}, on: {scheduler})")),
    Operator("throttle(while:on:)", timed(".throttle(while: w.isOn, on: {scheduler})")),
    Operator("throttle(while:initialThrottle:on:)",
             timed(".throttle(while: w.bools, initialThrottle: false, on: {scheduler})"), checked=False),
    Operator("share(keepingFor:scheduler:)", timed(".share(keepingFor: {time}, scheduler: {scheduler})")),
    Operator("share(replay:keepingFor:scheduler:)", timed(".share(replay: 1, keepingFor: {time}, scheduler: {scheduler})")),
    Operator("retry(_:delay:scheduler:)", timed(".retry(2, " + DELAYED_RETRY + ")"), fails),
    Operator("retry(_:delay:scheduler:when:)",
             timed(".retry(2, " + DELAYED_RETRY + ", when: { _ in true })"), fails),
    Operator("retry(_:scheduler:when:)",
             timed(".retry(RetryPolicy.fixed(2, delay: .seconds(1)), scheduler: {scheduler})"), fails),
    Operator("retry(_:scheduler:decide:)",
             timed(".retry(RetryPolicy.fixed(2, delay: .seconds(1)).resetsOnValue(), scheduler: {scheduler}, "
                   "decide: { _ in .after({time}) })"), fails),
    Operator("mapAsync(maxTasks:inOrder:priority:_:)", map_async, sendable),
    Operator("tryMapAsync(maxTasks:inOrder:priority:_:)", failing(try_map_async, "Int"), sendable),
    Operator("mapAsync(maxTasks:by:priority:_:)", map_async_by_key, sendable),
    Operator("tryMapAsync(maxTasks:by:priority:_:)", failing(try_map_async_by_key, "Int"), sendable),
    Operator("deadLetter(after:to:)", delivered(".deadLetter(after: 2) { _ in }.map { (p: Parcel) -> Int in p.payload }")),
    Operator("extendingDeadlines(every:clock:onRefusal:)",
             delivered(".extendingDeadlines().map { (p: ExtendedDelivery<Parcel>) -> Int in p.payload }")),
    Operator("acknowledged(maxTasks:inOrder:extendingEvery:clock:onFailure:onRefusal:after:)",
             delivered(".acknowledged { (p: Parcel) async throws -> Int in p.payload }")),
    Operator("acknowledged(maxPublishers:extendingEvery:clock:onFailure:onRefusal:after:)",
             delivered(".acknowledged(maxPublishers: .max(2)) { (p: Parcel) -> Just<Int> in Just(p.payload) }"), checked=False),
    Operator("flatMap(maxPublishers:_:)", flat_map_async, lambda c: sendable(c) and never_fails(c), checked=False),
    Operator("handleEvents(on:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)", same(actor_events), sendable),
]
