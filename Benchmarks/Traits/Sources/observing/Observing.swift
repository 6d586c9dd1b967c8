// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import InMemoryTracing
import MetricsTestKit
import Penstock
import PenstockMetrics
import PenstockTracing
import Tracing

/// Nanoseconds for a value, for a subscription, and for a call of the operator; the best of several runs.
@main
enum Observing {
  static func main() {
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()
    print("a value of a subject, ns")
    report("plain", values: 1_000_000) { $0 }
    report("metered", values: 1_000_000) { $0.metered("pushed", factory: metrics) }
    report("metered, madeAt", values: 1_000_000) { subject in
      subject.metered("pushed", factory: metrics, madeAt: { _ in ContinuousClock.now })
    }
    report("traced", values: 1_000_000) { $0.traced("pushed", tracer: tracer) }
    print("a value of a sequence, ns")
    report("plain", pulled: 1_000_000) { $0 }
    report("metered", pulled: 1_000_000) { $0.metered("pulled", factory: metrics) }
    report("traced", pulled: 1_000_000) { $0.traced("pulled", tracer: tracer) }
    print("a subscription, ns")
    report("plain", 20_000) { consume(opaque(Just(1))) }
    let one = Just(1).metered("one", factory: metrics)
    report("metered, of one publisher", 20_000) { consume(one) }
    report("metered, called for each", 20_000) { consume(opaque(Just(1)).metered("each", factory: metrics)) }
    let quiet = NoOpTracer()
    report("traced, a tracer that does nothing", 20_000) { consume(opaque(Just(1)).traced("one", tracer: quiet)) }
    print("a call of the operator, ns")
    report("metered", 20_000) { _ = opaque(Just(1).metered("call", factory: metrics)) }
    report("traced", 20_000) { _ = opaque(Just(1).traced("call", tracer: quiet)) }
  }

  /// Values that a subject sends.
  private static func report<P: Publisher>(
    _ name: String, values count: Int, _ make: (PassthroughSubject<Int, Never>) -> P
  ) where P.Output == Int, P.Failure == Never {
    let subject = opaque(PassthroughSubject<Int, Never>())
    var sum = 0
    let cancellable = make(subject).sink { sum &+= $0 }
    row(name, best { for value in 0..<count { subject.send(value) } } / Double(count))
    cancellable.cancel()
    _ = opaque(sum)
  }

  /// Values that a sequence delivers as they are requested.
  private static func report<P: Publisher>(
    _ name: String, pulled count: Int, _ make: (Publishers.Sequence<[Int], Never>) -> P
  ) where P.Output == Int, P.Failure == Never {
    let stream = make(opaque(Array(0..<count)).publisher)
    row(name, best { consume(stream) } / Double(count))
  }

  private static func report(_ name: String, _ count: Int, _ work: () -> Void) {
    row(name, best { for _ in 0..<count { work() } } / Double(count))
  }

  private static func consume(_ stream: some Publisher<Int, Never>) {
    var sum = 0
    let cancellable = stream.sink { sum &+= $0 }
    cancellable.cancel()
    _ = opaque(sum)
  }

  /// The shortest of seven times, in nanoseconds.
  private static func best(_ work: () -> Void) -> Double {
    (0..<7).map { _ in ContinuousClock().measure(work) / .nanoseconds(1) }.min() ?? 0
  }

  private static func row(_ name: String, _ nanoseconds: Double) {
    let number = "\((nanoseconds * 10).rounded() / 10)"
    print("  " + name + String(repeating: " ", count: max(1, 48 - name.count - number.count)) + number)
  }
}

/// Returns its argument, in a way that the compiler cannot see through.
@inline(never)
@_optimize(none)
private func opaque<Value>(_ value: Value) -> Value { value }
