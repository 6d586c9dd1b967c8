// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Dispatch
import PenstockConcurrency

/// A burst of values that ends on an actor: a loop over an `AsyncStream`, as one would write it by hand, and an
/// isolated sink.
public func actorWorkloads() -> [(Workload, Workload)] {
  [
    (
      Workload("an actor", "actor") { burst($0) { Adder().loop($0, $1) } },
      Workload("an actor", "actor") { burst($0) { Adder().sink($0, $1) } }
    ),
    (
      Workload("an actor, values one by one", "actor", size: 2_000) { oneByOne($0) { Adder().loop($0, $1) } },
      Workload("an actor, values one by one", "actor", size: 2_000) { oneByOne($0) { Adder().sink($0, $1) } }
    ),
  ]
}

/// The place to which values are sent, and the way to end them.
private struct Inlet {
  let send: (Int) -> Void
  let finish: () -> Void
}

private actor Adder {
  private var sum = 0

  /// - Parameters:
  ///   - received: Called with the sum after each value.
  ///   - done: Called with the sum at the end.
  nonisolated func loop(
    _ received: @escaping @Sendable (Int) -> Void, _ done: @escaping @Sendable (Int) -> Void
  ) -> Inlet {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    Task { await self.run(stream, received, done) }
    return Inlet(send: { continuation.yield($0) }, finish: { continuation.finish() })
  }

  private func run(
    _ stream: AsyncStream<Int>, _ received: @Sendable (Int) -> Void, _ done: @Sendable (Int) -> Void
  ) async {
    for await value in stream {
      sum &+= value
      received(sum)
    }
    done(sum)
  }

  nonisolated func sink(
    _ received: @escaping @Sendable (Int) -> Void, _ done: @escaping @Sendable (Int) -> Void
  ) -> Inlet {
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.sink(on: self) { adder, _ in
      done(adder.sum)
    } receiveValue: { adder, value in
      adder.sum &+= value
      received(adder.sum)
    }
    return Inlet(
      send: { subject.send($0) }, finish: { withExtendedLifetime(cancellable) { subject.send(completion: .finished) } })
  }
}

private typealias Open = (@escaping @Sendable (Int) -> Void, @escaping @Sendable (Int) -> Void) -> Inlet

/// All values at once, from one thread; ends when the last has been received.
@inline(never)
private func burst(_ count: Int, _ open: Open) -> Int {
  let (result, done) = (Shared(Tally()), DispatchSemaphore(value: 0))
  let inlet = open({ _ in }) { sum in
    result.value.add(sum)
    done.signal()
  }
  for value in 0..<count { inlet.send(value) }
  inlet.finish()
  done.wait()
  return result.value.sum
}

/// Each value when the previous one has been received.
@inline(never)
private func oneByOne(_ count: Int, _ open: Open) -> Int {
  let (result, received, done) = (Shared(Tally()), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let inlet = open({ _ in received.signal() }) { sum in
    result.value.add(sum)
    done.signal()
  }
  for value in 0..<count {
    inlet.send(value)
    received.wait()
  }
  inlet.finish()
  done.wait()
  return result.value.sum
}
