// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockOperators

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response other than the page: the server is busy, and says for how long.
private struct Busy: Error {
  let seconds: Double
}

extension URLSession {
  /// Publishes the status and the text of a response.
  fileprivate func text(from url: URL) -> some Publisher<(status: Int, text: String), any Error> {
    dataTaskPublisher(for: url)
      .map { (($0.response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: $0.data, as: UTF8.self)) }
      .mapError { $0 as any Error }
  }
}

extension Scenario {
  static let orderedRequests = Scenario(
    name: "order", heading: "Flattening: requests at the same time, in order, and when the server says so"
  ) { page, tempo in
    let session = URLSession(configuration: .ephemeral)
    let paths = ["/1", "/2", "/3"].publisher.setFailureType(to: (any Error).self)
    do {
      // The first page arrives after the others: so all requests have to be on their way at the same time.
      func makeServer() throws -> LoopbackServer {
        try LoopbackServer(requests: 3, last: "/1") { path, _ in .send(status: 200, "page \(path.dropFirst())") }
      }
      func text(_ path: String, of server: LoopbackServer) -> some Publisher<String, any Error> {
        session.text(from: server.url(path)).map { $0.text }
          .receive(on: tempo)
          .handleEvents(receiveOutput: { _ in server.confirm() })
      }
      let eager = try makeServer()
      tempo.runToEnd(of: paths.flatMap { text($0, of: eager) }.takeLast(1)) { text in
        page.print("flatMap delivers last: \(text)")
      }
      let ordered = try makeServer()
      tempo.runToEnd(of: paths.flatMapSequential { text($0, of: ordered) }.enumerated()) { index, text in
        page.print("flatMapSequential delivers as number \(index + 1): \(text)")
      }

      let strict = try LoopbackServer(requests: 3) { path, number in
        path == "/2" ? .send(status: 404, path) : .send(status: 200, "page \(path.dropFirst()), request \(number + 1)")
      }
      // On the tempo, so that both subscribers have subscribed when the first response arrives.
      let (found, missing) = paths.concatMap { session.text(from: strict.url($0)) }
        .receive(on: tempo)
        .ignoreFailure()
        .partition { $0.status == 200 }
      let complaints = missing.sink { page.print("concatMap and partition: there is no \($0.text)") }
      tempo.runToEnd(of: found) { page.print("concatMap and partition: \($0.text)") }
      complaints.cancel()

      try tempo.showRetries(session: session, on: page)
    } catch {
      page.print("There is no port to listen on.")
    }
    session.finishTasksAndInvalidate()
  }
}

extension Tempo {
  /// Tries again when the server says so: a policy cannot know when, but a publisher made from the failures can.
  fileprivate func showRetries(session: URLSession, on page: Page) throws {
    let server = try LoopbackServer([
      .send(status: 503, "0.3"), .send(status: 503, "0.5"), .send(status: 200, "the gate is open"),
    ])
    var logger = logger(to: page)
    let answer = session.text(from: server.url("/gate"))
      .tryMap { status, text in
        if status == 503 { throw Busy(seconds: Double(text) ?? 1) }
        return text
      }
      .receive(on: self)
      .retryWhen { failures in
        failures
          .tryMap { error in
            guard let busy = error as? Busy else { throw error }
            return busy.seconds
          }
          .flatMapLatest { seconds in
            print("retryWhen: busy for \(seconds) seconds", to: &logger)
            return Just(()).delay(for: .seconds(seconds), scheduler: self).setFailureType(to: (any Error).self)
          }
      }
    runToEnd(of: answer) { print("retryWhen: \($0)", to: &logger) }
  }
}
