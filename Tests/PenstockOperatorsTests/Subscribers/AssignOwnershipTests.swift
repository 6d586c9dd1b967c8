// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct AssignOwnershipTests {
  private final class Gauge: @unchecked Sendable {
    var level = 0
    var other = 0
    var cancellable: AnyCancellable?
  }

  private let subject = PassthroughSubject<Int, Never>()

  @Test(arguments: [ObjectOwnership.strong, .weak, .unowned])
  func `Values are assigned until the end, with unlimited demand`(_ ownership: ObjectOwnership) {
    let gauge = Gauge()
    let publisher = ManualPublisher<Int, Never>()
    let cancellable = publisher.assign(to: \.level, on: gauge, ownership: ownership)
    #expect(publisher.calls == [.requested(.unlimited)])
    #expect(publisher.send(1) == .none)
    #expect(gauge.level == 1)
    cancellable.cancel()
    publisher.send(2)
    #expect(gauge.level == 1)
    #expect(publisher.subscription?.cancellations == 1)
  }

  @Test func `A strong assignment keeps the object until the stream ends or is cancelled`() {
    var graveyard = Graveyard()
    for finishes in [false, true] {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.assign(to: \.level, on: graveyard.watch(Gauge()), ownership: .strong)
      #expect(graveyard.survivors.count == 1)
      if finishes { subject.send(completion: .finished) } else { cancellable.cancel() }
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test(arguments: [ObjectOwnership.weak, .unowned])
  func `An object that has the cancellable of an assignment to itself is released`(_ ownership: ObjectOwnership) {
    var graveyard = Graveyard()
    do {
      let gauge = graveyard.watch(Gauge())
      gauge.cancellable = subject.assign(to: \.level, on: gauge, ownership: ownership)
      subject.send(1)
      #expect(gauge.level == 1)
    }
    #expect(graveyard.survivors.isEmpty)
    subject.send(2)
  }

  @Test func `Values for a weak object that is gone are dropped`() {
    let cancellable = subject.assign(to: \.level, on: Gauge(), ownership: .weak)
    subject.send(1)
    subject.send(completion: .finished)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A value for an unowned object that is gone traps`() async {
    await #expect(processExitsWith: .failure) {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.assign(to: \.level, on: Gauge(), ownership: .unowned)
      subject.send(1)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test(arguments: [ObjectOwnership.strong, .weak, .unowned])
  func `Two or three properties get each value, of one object or of several`(_ ownership: ObjectOwnership) {
    let (first, second) = (Gauge(), Gauge())
    let two = subject.assign(to: \.level, on: first, and: \.level, on: second, ownership: ownership)
    subject.send(1)
    #expect([first.level, second.level] == [1, 1])
    two.cancel()
    let three = subject.assign(
      to: \.level, on: first, and: \.other, on: first, and: \.level, on: second, ownership: ownership)
    subject.send(2)
    #expect([first.level, first.other, second.level] == [2, 2, 2])
    withExtendedLifetime(three) {}
  }

  @Test func `Several objects are kept by default, and one that is gone does not stop the others`() {
    var graveyard = Graveyard()
    let second = Gauge()
    var strong: AnyCancellable? = subject.assign(to: \.level, on: graveyard.watch(Gauge()), and: \.level, on: second)
    #expect(graveyard.survivors.count == 1)
    strong = nil
    #expect(graveyard.survivors.isEmpty)
    let weak = subject.assign(to: \.level, on: Gauge(), and: \.level, on: second, ownership: .weak)
    subject.send(3)
    #expect(second.level == 3)
    withExtendedLifetime((strong, weak)) {}
  }
}
