// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

/// The error of a request.
private enum RequestError: String, Error, CustomStringConvertible {
  case connectionLost = "connection lost"
  case tokenExpired = "token expired"

  var description: String { rawValue }
}

/// Responds to each request by a script, and prints each request.
private final class ScriptedService {
  private let script: [Result<String, RequestError>]
  private let note: (String) -> Void
  private(set) var requests = 0

  init(_ script: [Result<String, RequestError>], note: @escaping (String) -> Void) {
    self.script = script
    self.note = note
  }

  /// Sends one request for each subscriber, when it subscribes.
  var answer: some Publisher<String, RequestError> {
    Deferred {
      let answer = self.script[min(self.requests, self.script.count - 1)]
      self.requests += 1
      self.note("request \(self.requests)")
      return answer.publisher
    }
  }
}

extension Scenario {
  static let retries = Scenario(
    name: "retry", heading: "Retries: later, less and less often, for some errors, and of what"
  ) { page, tempo in
    var logger = tempo.logger(to: page)
    func note(_ text: String) { print(text, to: &logger) }
    func show<Failure>(_ publisher: some Publisher<String, Failure>) {
      tempo.runToEnd(
        of: publisher, receiveCompletion: { note("Received completion: \($0)") },
        receiveValue: { note("Received value: \($0)") })
    }
    let lost = Result<String, RequestError>.failure(.connectionLost)
    let expired = Result<String, RequestError>.failure(.tokenExpired)

    page.print("At most five retries, half a second apart:")
    logger = tempo.logger(to: page)
    show(ScriptedService([lost, lost, .success("open")], note: note).answer.retry(5, delay: 0.5, scheduler: tempo))

    page.print("Waits that double up to 0.8 seconds, as long as only the connection is lost:")
    logger = tempo.logger(to: page)
    let policy = RetryPolicy.exponential(10, initial: .milliseconds(200), ceiling: .milliseconds(800))
    let service = ScriptedService([lost, lost, lost, lost, expired], note: note)
    show(service.answer.retry(policy, scheduler: tempo) { $0 == .connectionLost })

    for failure in [lost, expired] {
      page.print(failure == lost ? "tryCatch retries a lost connection:" : "It does not retry an expired token:")
      logger = tempo.logger(to: page)
      let answer = ScriptedService([failure, .success("open")], note: note).answer
      show(
        answer.tryCatch { error in
          guard error == .connectionLost else { throw error }
          return answer.retry(2)
        })
    }
    showFutureAndDeferred(on: page)
  }

  /// Shows that `retry` repeats the work only if subscribing again repeats it.
  private static func showFutureAndDeferred(on page: Page) {
    var runs = 0
    func fail(_ promise: (Result<String, RequestError>) -> Void) {
      runs += 1
      promise(.failure(.connectionLost))
    }
    func retry(_ name: String, _ publisher: some Publisher<String, RequestError>) {
      page.print("\(name).retry(5)")
      let cancellable = publisher.retry(5).sink(
        receiveCompletion: { page.print("  Received completion: \($0)") },
        receiveValue: { page.print("  Received value: \($0)") })
      cancellable.cancel()
      page.print("  The work has run \(runs == 1 ? "once" : "\(runs) times")")
    }

    retry("Future { … }", Future { promise in fail(promise) })
    runs = 0
    retry("Deferred { Future { … } }", Deferred { Future { promise in fail(promise) } })
  }
}
