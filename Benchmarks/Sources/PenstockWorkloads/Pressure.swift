// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Dispatch
import PenstockConcurrency

// Operators that hold demand back, or merge values that come without it; OpenCombine has none of them.

/// Workloads only for Penstock.
func pressureWorkloads() -> [Workload] {
  [
    Workload("pace, tokens for all", "pressure") { paced($0) },
    Workload("pace by cost, tokens for all", "pressure") { pacedByCost($0) },
    Workload("coalesce, demand for all", "pressure") { coalesced($0) },
    Workload("coalesce, no demand", "pressure") { merged($0) },
    Workload("limitRequests(to: 64)", "pressure") { limited($0) },
    Workload("buffer(upTo: 64)", "pressure") { bufferedUpTo($0) },
    Workload("buffer(weight: 64)", "pressure") { bufferedByWeight($0) },
    Workload("pausable, open", "pressure") { pausable($0) },
    Workload("receive(on: DispatchQueue), a subject", "pressure", .queue, size: 20_000) { flood($0, upTo: nil) },
    Workload("receive(on: DispatchQueue, upTo: 256), a subject", "pressure", .queue, size: 20_000) {
      flood($0, upTo: 256)
    },
    Workload("sink(maxConcurrent: 8)", "pressure", size: 2_000) { concurrent($0) },
  ]
}

@inline(never)
private func paced(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count)
    .pace(1, per: .seconds(1), burst: 1 << 40, scheduler: DispatchQueue.main).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func pacedByCost(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count)
    .pace(1, per: .seconds(1), burst: 1 << 40, scheduler: DispatchQueue.main) { $0 & 7 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func coalesced(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).coalesce { $0 &+ $1 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// All values become one.
@inline(never)
private func merged(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let sink = subject.coalesce { $0 &+ $1 }.pausableSink(receiveCompletion: { _ in }) {
    tally.add($0)
    return false
  }
  for value in 0..<count { subject.send(value) }
  sink.resume()
  sink.cancel()
  return tally.sum
}

@inline(never)
private func limited(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).limitRequests(to: 64).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func bufferedUpTo(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).buffer(upTo: 64).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func bufferedByWeight(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).buffer(weight: 64) { _ in 1 }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func pausable(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).pausable(by: Publishers.Valve()).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func flood(_ count: Int, upTo most: Int?) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let (queue, done) = (DispatchQueue(label: "flood"), DispatchSemaphore(value: 0))
  let cancellable =
    if let most {
      subject.receive(on: queue, upTo: most).sink(receiveCompletion: { _ in done.signal() }) { tally.add($0) }
    } else {
      subject.receive(on: queue).sink(receiveCompletion: { _ in done.signal() }) { tally.add($0) }
    }
  for value in 0..<count { subject.send(value) }
  subject.send(completion: .finished)
  done.wait()
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func concurrent(_ count: Int) -> Int {
  let total = Shared(Tally())
  let (queue, done) = (DispatchQueue(label: "total"), DispatchSemaphore(value: 0))
  let cancellable = Elements(0..<count).sink(maxConcurrent: 8) { _ in
    done.signal()
  } receiveValue: { value in
    queue.sync { total.value.add(value) }
  }
  done.wait()
  return withExtendedLifetime(cancellable) { total.value.sum }
}
