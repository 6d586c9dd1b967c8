// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// An engine in another module than the core's engine.
@Suite struct FanOutEngineTests {
  /// Delivers each value to all members with demand.
  private final class Broadcast: FanOutEngine, FanOutSource {
    enum Signal {
      case value(Int)
      case join(FanOutMember)
      case remove(FanOutMember)
    }

    let calls = FanOutCalls(of: Broadcast.self, repeats: .nothing)
    let queue = SerialQueue<Signal, NoState>()
    var members = FanOutMembers()
    var requests = 0
    var cancels = 0

    func submit(_ signal: Signal) {
      let thread = currentThread()
      queue.perform(
        on: thread, { perform(signal) }, orQueue: { if queue.append(signal, thread) { leave(thread) } },
        leave: { leave(thread) })
    }

    func perform(_ signal: Signal) {
      switch signal {
      case .value(let value):
        for place in 0..<members.count {
          guard let member = members[place]?.takeUnretainedValue(), member.ledger.takeOne() else { continue }
          member.deliver(value)
        }
      case .join(let member):
        members.add(member)
        member.start(on: currentThread())
      case .remove(let member):
        members.remove(member)
      }
    }

    func leave(_ thread: UInt) {
      queue.drain(thread, isRefused: false, prepare: { discardRemoved() }) { perform($0) }
    }

    func serve(_ member: FanOutMember) { Issue.record("It repeats nothing") }
    func remove(cancelled member: FanOutMember) { submit(.remove(member)) }
    func takeSnapshot(for member: FanOutMember, _ introduction: Introduction) { Issue.record("It repeats nothing") }

    static var memberName: StaticString { "Broadcast" }
    func demandRose() { requests += 1 }
    func memberLeft() { cancels += 1 }

    func attach(_ subscriber: some Subscriber<Int, Never>) {
      submit(.join(FanOutMember.make(AnySubscriber(subscriber), of: self, source: self)))
    }
  }

  @Test func `Members receive what they have requested, in the order of subscription`() {
    let broadcast = Broadcast()
    let recorders = [Recorder<Int, Never>(demand: .max(1)), Recorder(demand: .unlimited)]
    for recorder in recorders { broadcast.attach(recorder) }
    broadcast.submit(.value(1))
    broadcast.submit(.value(2))
    #expect(recorders.map(\.values) == [[1], [1, 2]])
    #expect(broadcast.requests == 2)
  }

  @Test func `A member that has cancelled is discarded, and the list gets shorter`() {
    let broadcast = Broadcast()
    let recorders = (0..<8).map { _ in Recorder<Int, Never>(demand: .unlimited) }
    for recorder in recorders { broadcast.attach(recorder) }
    for recorder in recorders.dropFirst(2).dropLast() { recorder.cancel() }
    broadcast.submit(.value(1))
    #expect(recorders.map(\.values) == [[1], [1], [], [], [], [], [], [1]])
    #expect(broadcast.members.count == 3)
    #expect(broadcast.cancels == 5)
    for recorder in recorders { recorder.cancel() }
    #expect(broadcast.members.count == 0)
  }

  @Test func `A member that cancels during its delivery is discarded after that`() {
    let broadcast = Broadcast()
    let recorder = Recorder<Int, Never>(demand: .unlimited)
    broadcast.attach(recorder)
    recorder.onValue = { _ in
      recorder.cancel()
      #expect(broadcast.members.hasRemoved)
      return .none
    }
    broadcast.submit(.value(1))
    broadcast.submit(.value(2))
    #expect(recorder.values == [1])
    #expect(!broadcast.members.hasRemoved)
  }
}
