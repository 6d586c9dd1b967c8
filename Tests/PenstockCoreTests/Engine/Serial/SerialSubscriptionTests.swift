// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Synchronization
import TestSupport
import Testing

/// One owner, one queue.
@Suite struct SerialSubscriptionTests {
  /// A subscription that records its work, on the owner of its loop.
  private final class Log: @unchecked Sendable {
    var lines: [String] = []
  }

  private func subscription(_ log: Log, acceptsZeroDemand: Bool = false) -> SerialSubscription {
    SerialSubscription(
      name: "Serial", acceptsZeroDemand: acceptsZeroDemand,
      work: .init { serial, call in
        switch call {
        case .add(let demand): log.lines.append("request \(demand)")
        case .cancel:
          guard serial.close() else { return }
          log.lines.append("cancel")
          serial.submit {}
        case .discard: log.lines.append("discard")
        }
      }, downstream: SubscriberCalls(of: Recorder<Int, Never>.self))
  }

  @Test func `What another thread has queued is carried out before the owner leaves`() {
    let log = Log()
    let serial = UncheckedBox(subscription(log))
    serial.value.submit {
      onThreads([
        {
          serial.value.submit { log.lines.append("queued") }
          serial.value.request(.max(1))
        }
      ])
      log.lines.append("own")
    }
    #expect(log.lines == ["own", "queued", "request max(1)"])
  }

  @Test func `What is queued by queued work is carried out, too`() {
    let log = Log()
    let serial = UncheckedBox(subscription(log))
    serial.value.submit {
      onThreads([
        {
          serial.value.submit {
            log.lines.append("first")
            elsewhere { serial.value.submit { log.lines.append("second") } }
          }
        }
      ])
    }
    #expect(log.lines == ["first", "second"])
  }

  @Test func `The owner's own signals do not overtake what is queued, but nest otherwise`() {
    let log = Log()
    let serial = UncheckedBox(subscription(log))
    serial.value.submit {
      serial.value.submit { log.lines.append("nested") }
      onThreads([
        {
          serial.value.submit {
            log.lines.append("a1")
            // After the signals that have been taken from the queue together with this one.
            serial.value.submit { log.lines.append("a3") }
          }
          serial.value.submit { log.lines.append("a2") }
        }
      ])
      // After the signals in the queue.
      serial.value.submit { log.lines.append("b") }
      log.lines.append("end")
    }
    #expect(log.lines == ["nested", "end", "a1", "a2", "b", "a3"])
  }

  @Test func `Upstreams are asked when the loop has been left, all of them`() {
    let log = Log()
    let serial = UncheckedBox(subscription(log))
    let inlets = (0..<6).map { _ in Inlet() }
    let upstreams = inlets.map { inlet in
      let upstream = ManualSubscription()
      upstream.onRequest = { _ in
        // The loop is free, so this does not nest.
        elsewhere { serial.value.submit { log.lines.append("asked") } }
      }
      _ = inlet.slot.attach(upstream)
      return upstream
    }
    serial.value.submit {
      for (place, inlet) in inlets.enumerated() { serial.value.requestLater(.max(place), from: inlet) }
      log.lines.append("end")
    }
    #expect(log.lines == ["end"] + Array(repeating: "asked", count: 5))
    #expect(upstreams.map(\.requests) == [[]] + (1..<6).map { [.max($0)] })
  }

  @Test func `A cancel cancels at once, and what is kept is freed when nothing is delivered`() {
    let log = Log()
    let serial = UncheckedBox(subscription(log))
    serial.value.submit {
      onThreads([
        {
          serial.value.submit { log.lines.append("never") }
          serial.value.cancel()
          serial.value.cancel()
        }
      ])
      log.lines.append("end")
    }
    serial.value.request(.max(1))
    #expect(log.lines == ["cancel", "end", "discard"])
  }

  @Test func `A cancel from inside frees what is kept when the owner leaves`() {
    let log = Log()
    let serial = subscription(log)
    serial.submit {
      serial.cancel()
      log.lines.append("end")
    }
    #expect(log.lines == ["cancel", "end", "discard"])
  }

  @Test func `Signals queued after the end are freed, and not carried out`() {
    let log = Log()
    let graveyard = Locked(Graveyard())
    let serial = UncheckedBox(subscription(log))
    serial.value.submit {
      onThreads([
        {
          let canary = graveyard.change { $0.watch(Canary(), "queued") }
          serial.value.submit { withExtendedLifetime(canary) { log.lines.append("never") } }
        }
      ])
      serial.value.cancel()
    }
    #expect(log.lines == ["cancel", "discard"])
    #expect(graveyard.value.survivors.isEmpty)
  }

  @Test func `Of many threads one acts at a time, and nothing is left behind`() {
    for _ in 0..<20 {
      let log = Log()
      let serial = UncheckedBox(subscription(log))
      onThreads(4) { thread in
        for number in 0..<500 { serial.value.submit { log.lines.append("\(thread) \(number)") } }
      }
      #expect(log.lines.count == 2_000)
      for thread in 0..<4 {
        #expect(log.lines.filter { $0.hasPrefix("\(thread) ") } == (0..<500).map { "\(thread) \($0)" })
      }
    }
  }

  @Test func `A burst that is queued is carried out in order`() {
    let log = Log()
    let serial = UncheckedBox(subscription(log))
    for _ in 0..<2 {
      log.lines = []
      serial.value.submit {
        elsewhere { for number in 0..<3_000 { serial.value.submit { log.lines.append("\(number)") } } }
      }
      #expect(log.lines == (0..<3_000).map { "\($0)" })
    }
  }

  /// An upstream's endless loop runs outside the operator's loop, so that other threads get in at every value.
  @Test func `An upstream that delivers without end does not keep another thread's values out`() {
    let arrived = Gate()
    let subject = PassthroughSubject<Int, Never>()
    let delivering = Gate()
    let cancellable = Locked<(any Subscription)?>(nil)
    let probe = Recorder<Int, Never>(demand: nil)
    var numbers = 0
    probe.onValue = { value in
      if value < 0 { arrived.open() }
      numbers += 1
      if numbers == 10 { delivering.open() }
      return .none
    }
    // The probe keeps all values, and the other thread may be late.
    Publishers.Merge(subject, (0...).publisher).filter { $0 < 100 }.subscribe(probe)
    cancellable.change { $0 = probe.subscription }
    onThreads([
      { probe.request(.unlimited) },
      {
        delivering.wait()
        subject.send(-1)
        arrived.wait()
        cancellable.value?.cancel()
      },
    ])
    #expect(probe.values.contains(-1))
    #expect(probe.isSerial)
  }
}
