// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock

/// Two failures for the programs.
enum Trouble: Error { case offline, denied }

/// Ends the process, and names the line, unless two values are equal.
func expect<Value: Equatable>(
  _ value: Value, _ expected: Value, file: StaticString = #filePath, line: UInt = #line
) {
  if value == expected { return }
  print("\(file):\(line): \(value) in place of \(expected)")
  exit(1)
}

/// What a subscriber has received so far, in words.
final class Reception {
  var log: [String] = []
  fileprivate var cancellable: AnyCancellable?

  func cancel() { cancellable?.cancel() }
}

extension Publisher {
  /// Subscribes, requests everything, and keeps what comes: values by their descriptions, `finished`, `failure(…)`.
  func received() -> Reception {
    let reception = Reception()
    reception.cancellable = sink(
      receiveCompletion: { [weak reception] completion in
        switch completion {
        case .finished: reception?.log.append("finished")
        case .failure(let error): reception?.log.append("failure(\(error))")
        }
      },
      receiveValue: { [weak reception] in reception?.log.append("\($0)") })
    return reception
  }
}

/// A subscriber that requests values one by one, when it is told to.
final class Asking<Input, Failure: Error>: Subscriber {
  private(set) var log: [String] = []
  private var subscription: (any Subscription)?

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Input) -> Subscribers.Demand {
    log.append("\(input)")
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if case .finished = completion { log.append("finished") } else { log.append("failure") }
    subscription = nil
  }
}
