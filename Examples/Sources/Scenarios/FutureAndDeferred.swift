// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// Counts how often some work has run, and always fails.
private final class FailingWork {
  struct Failed: Error, CustomStringConvertible {
    let description = "failed"
  }

  private(set) var runs = 0

  func run() -> Result<Int, Failed> {
    runs += 1
    return .failure(Failed())
  }
}

extension Scenario {
  static let futureAndDeferred = Scenario(
    name: "future", heading: "Future and Deferred: work that runs once, work that runs for everyone"
  ) { page in
    func subscribe(_ count: Int, to publisher: some Publisher<Int, FailingWork.Failed>) {
      for _ in 0..<count {
        let cancellable = publisher.sink(
          receiveCompletion: { page.print("Received completion: \($0)") },
          receiveValue: { page.print("Received value: \($0)") })
        cancellable.cancel()
      }
    }

    let once = FailingWork()
    let future = Future<Int, FailingWork.Failed> { promise in promise(once.run()) }
    page.print("The future's work has run \(once.runs) time, before anybody has subscribed")
    subscribe(3, to: future)
    page.print("The future's work has run \(once.runs) time for 3 subscribers")

    let often = FailingWork()
    let deferred = Deferred { Future<Int, FailingWork.Failed> { promise in promise(often.run()) } }
    page.print("The deferred future's work has run \(often.runs) times, before anybody has subscribed")
    subscribe(3, to: deferred)
    page.print("The deferred future's work has run \(often.runs) times for 3 subscribers")
  }
}
