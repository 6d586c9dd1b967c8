// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Foundation
import Logging
import NIOCore
import PenstockConcurrency
import PenstockInspector
import ServiceLifecycle
import Ticker
import TickerService

@main
struct TickerServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "TickerServer",
    abstract: "Serves streams of quotes as server-sent events.",
    discussion: """
      Try it with curl, in two terminals:

        curl -N localhost:8080/summaries
        curl --json '{"symbol": "ACME", "price": 1234}' localhost:8080/quotes
      """)

  @Option(help: "The port to listen at; 0 takes a free one.")
  var port = 8080

  @Option(help: "How many milliseconds there are between two quotes that the server makes up; 0 for none.")
  var feed = 1000

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
    guard feed >= 0 else { throw ValidationError("--feed is a number of milliseconds, and not negative") }
  }

  func run() async throws {
    // `kill -USR1` and the number of the process: the running pipelines, on standard error.
    Inspector.reportOnSignal()
    let logger = Logger(label: "ticker")
    let ticker = ServerTicker(on: TaskScheduler(), assess: assess)
    let application = tickerApplication(
      port: port, ticker: ticker, feed: feed == 0 ? nil : .milliseconds(feed), logger: logger)
    let services = ServiceGroup(
      configuration: .init(services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await services.run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw ValidationError("Port \(port) is taken. Choose another one with --port, or 0 for any that is free.")
    }
  }
}
