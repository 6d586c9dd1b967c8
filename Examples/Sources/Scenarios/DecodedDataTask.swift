// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockOperatorsFoundation

/// The server's response.
private struct Turbine: Decodable {
  let name: String
  let megawatts: Int
}

extension Tempo {
  /// In real time the response arrives on the main queue, the default.
  fileprivate func turbine(from url: URL, session: URLSession) -> AnyPublisher<Turbine, any Error> {
    isReal
      ? session.decodedDataTaskPublisher(for: url, decodingResultAs: Turbine.self)
      : session.decodedDataTaskPublisher(for: URLRequest(url: url), decodingResultAs: Turbine.self, scheduler: self)
  }
}

extension Scenario {
  static let http = Scenario(
    name: "http", heading: "decodedDataTaskPublisher: a server that fails twice, and then answers"
  ) { page, tempo in
    let script: [ScriptedAnswer] = [
      .hangUp, .send(status: 503, "Come back later."), .send(status: 200, #"{"name":"Francis","megawatts":64}"#),
    ]
    guard let server = try? LoopbackServer(script) else { return page.print("There is no port to listen on.") }
    var logger = tempo.logger(to: page)
    let requests = server.requests
      .receive(on: tempo)
      .sink { request in
        switch request.answer {
        case .hangUp: print("The server is asked for \(request.path), and hangs up", to: &logger)
        case .send(let status, let body):
          print("The server is asked for \(request.path), and answers \(status): \(body)", to: &logger)
        }
      }

    let session = URLSession(configuration: .ephemeral)
    tempo.runToEnd(
      of: tempo.turbine(from: server.url("/turbine"), session: session),
      receiveCompletion: { print("Received completion: \($0)", to: &logger) },
      receiveValue: { print("Received value: \($0.name), \($0.megawatts) MW", to: &logger) })
    requests.cancel()
    session.finishTasksAndInvalidate()
  }
}
