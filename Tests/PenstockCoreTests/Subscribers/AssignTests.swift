// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct AssignTests {
  private final class Gauge {
    var level = 0 {
      didSet {
        history.append(level)
        onChange?()
      }
    }
    var history: [Int] = []
    var onChange: (() -> Void)?
    var onDeinit: (() -> Void)?

    init() {}
    deinit { onDeinit?() }
  }

  private typealias Assign = Subscribers.Assign<Gauge, Int>

  @Test func `Every value is written, and everything is asked for`() {
    let gauge = Gauge()
    let publisher = ManualPublisher<Int, Never>()
    let cancellable = publisher.assign(to: \.level, on: gauge)
    #expect(publisher.calls == [.requested(.unlimited)])
    #expect([1, 2, 2].map { publisher.send($0) } == [.none, .none, .none])
    #expect(gauge.history == [1, 2, 2])
    cancellable.cancel()
  }

  @Test func `Every value of a library source is written`() {
    let gauge = Gauge()
    let cancellable = (1...3).publisher.assign(to: \.level, on: gauge)
    #expect(gauge.history == [1, 2, 3])
    cancellable.cancel()
  }

  @Test func `Values and completions before the subscription are ignored`() {
    let gauge = Gauge()
    let assign = Assign(object: gauge, keyPath: \.level)
    #expect(assign.receive(1) == .none)
    assign.receive(completion: .finished)
    #expect(gauge.history.isEmpty)
    let publisher = ManualPublisher<Int, Never>()
    publisher.subscribe(assign)
    publisher.send(2)
    #expect(gauge.history == [2])
  }

  @Test func `A second subscription is cancelled, and the first goes on`() {
    let gauge = Gauge()
    let assign = Assign(object: gauge, keyPath: \.level)
    let publisher = ManualPublisher<Int, Never>()
    publisher.subscribe(assign)
    let second = ManualSubscription()
    assign.receive(subscription: second)
    #expect(second.calls == [.cancelled])
    publisher.send(1)
    #expect(gauge.history == [1])
  }

  @Test func `A completion frees the object and does not cancel upstream`() {
    var graveyard = Graveyard()
    let publisher = ManualPublisher<Int, Never>()
    let assign = Assign(object: graveyard.watch(Gauge()), keyPath: \.level)
    publisher.subscribe(assign)
    #expect(assign.object != nil)
    publisher.send(completion: .finished)
    #expect(assign.object == nil)
    #expect(graveyard.survivors.isEmpty)
    #expect(publisher.send(1) == .none)
    assign.cancel()
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test func `A cancel frees the object, and cancels upstream once`() {
    var graveyard = Graveyard()
    let publisher = ManualPublisher<Int, Never>()
    let assign = Assign(object: graveyard.watch(Gauge()), keyPath: \.level)
    publisher.subscribe(assign)
    assign.cancel()
    assign.cancel()
    #expect(assign.object == nil)
    #expect(graveyard.survivors.isEmpty)
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: ["subject", "current", "manual"], ["cancel", "finish", "drop"])
  func `The object is freed at the end, though everybody else is alive`(_ source: String, _ end: String) {
    var graveyard = Graveyard()
    let passthrough = PassthroughSubject<Int, Never>()
    let current = CurrentValueSubject<Int, Never>(0)
    let manual = ManualPublisher<Int, Never>()
    var cancellable: AnyCancellable?
    do {
      let gauge = graveyard.watch(Gauge(), "object")
      cancellable =
        switch source {
        case "subject": passthrough.map { $0 }.assign(to: \.level, on: gauge)
        case "current": current.assign(to: \.level, on: gauge)
        default: manual.assign(to: \.level, on: gauge)
        }
    }
    passthrough.send(1)
    if source == "manual" { manual.send(1) }
    #expect(graveyard.survivors == ["object"])
    switch end {
    case "cancel": cancellable?.cancel()
    case "finish":
      passthrough.send(completion: .finished)
      current.send(completion: .finished)
      if source == "manual" { manual.send(completion: .finished) }
    default: cancellable = nil
    }
    // A publisher of a user's decides when it drops its subscriber.
    manual.releaseSubscribers()
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `The object's deinit may use the stream`() {
    let publisher = ManualPublisher<Int, Never>()
    var log: [String] = []
    weak var weakAssign: Assign?
    let assign: Assign
    do {
      let gauge = Gauge()
      gauge.onDeinit = {
        log.append("deinit")
        weakAssign?.cancel()
        _ = weakAssign?.receive(1)
        #expect(weakAssign?.object == nil)
        #expect(weakAssign.map { String(describing: Mirror(reflecting: $0).children.count) } == "3")
      }
      assign = Assign(object: gauge, keyPath: \.level)
    }
    weakAssign = assign
    publisher.subscribe(assign)
    assign.cancel()
    #expect(log == ["deinit"])
  }

  @Test func `Setting the property may cancel the assignment`() {
    let subject = PassthroughSubject<Int, Never>()
    let gauge = Gauge()
    var cancellable: AnyCancellable?
    gauge.onChange = { cancellable?.cancel() }
    cancellable = subject.assign(to: \.level, on: gauge)
    subject.send(1)
    subject.send(2)
    #expect(gauge.history == [1])
  }

  @Test func `Setting the property may send again`() {
    let subject = PassthroughSubject<Int, Never>()
    let gauge = Gauge()
    gauge.onChange = { if gauge.level < 3 { subject.send(gauge.level + 1) } }
    let cancellable = subject.assign(to: \.level, on: gauge)
    subject.send(1)
    #expect(gauge.history == [1, 2, 3])
    cancellable.cancel()
  }

  @Test func `The root may be a value that refers to an object`() {
    struct Handle {
      let gauge: Gauge
      var level: Int {
        get { gauge.level }
        nonmutating set { gauge.level = newValue }
      }
    }
    let gauge = Gauge()
    let cancellable = [4].publisher.assign(to: \.level, on: Handle(gauge: gauge))
    #expect(gauge.level == 4)
    cancellable.cancel()
  }

  @Test func `It shows the type of the object and its state`() {
    let assign = Assign(object: Gauge(), keyPath: \.level)
    #expect(Shown(of: assign) == Shown("Assign Gauge.", children: ["object", "keyPath", "status"]))
    func status() -> String { Mirror(reflecting: assign).children.map { String(describing: $0.value) }.last ?? "" }
    var states = [status()]
    assign.receive(subscription: ManualSubscription())
    states.append(status())
    assign.receive(completion: .finished)
    states.append(status())
    #expect(states == ["awaiting", "active", "terminal"])
    #expect(assign.keyPath == \Gauge.level)
  }

  @Test func `Cancelling races with deliveries, and the object is freed once`() {
    for _ in 0..<200 {
      var graveyard = Graveyard()
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.assign(to: \.level, on: graveyard.watch(Gauge()))
      onThreads([
        { for value in 1...20 { subject.send(value) } },
        { for value in 1...20 { subject.send(value) } },
        { cancellable.cancel() },
      ])
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `An assignment without an owner runs as long as its upstream`() {
    let gauge = Gauge()
    let subject = PassthroughSubject<Int, Never>()
    subject.subscribe(Assign(object: gauge, keyPath: \.level))
    subject.send(1)
    #expect(gauge.history == [1])
  }
}
