// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Foundation
import ItemDatabase
import ItemSearchService
import Logging
import NIOCore
import PenstockInspector
import ServiceLifecycle

@main
struct ItemSearch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ItemSearch",
    abstract: "Serves a page that searches while you type.",
    discussion: """
      The database is filled at the first start: with every package that this machine's package manager knows, or, where
      there is none, with a list that comes with the example. --shipped takes that list anywhere.
      """)

  @Option(help: "The port to listen at; 0 takes a free one.")
  var port = 8080

  @Option(help: "The address to listen at; 0.0.0.0 for all of this machine's.")
  var hostname = "127.0.0.1"

  @Option(help: "The file of the database. Without it, one in the user's folder for caches.")
  var database: String?

  @Flag(help: "Fill a new database with the list that comes with the example.")
  var shipped = false

  @Flag(name: .shortAndLong, help: "Log who comes and goes.")
  var verbose = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535") }
  }

  func run() async throws {
    var logger = Logger(label: "item-search")
    logger.logLevel = verbose ? .debug : .info
    let counts = QueryCounts()
    let database = try openDatabase(counts: counts, logger: logger)
    let visitors = Visitors(database: database, archive: Archive(database: database), logger: logger)
    // `kill -USR1` and the number of the process: the running pipelines, on standard error.
    Inspector.reportOnSignal()
    let (pipelines, password) = window()
    let application = try itemSearchApplication(
      hostname: hostname, port: port, visitors: visitors, counts: counts, pipelines: pipelines, logger: logger,
      onRunning: { [hostname] port in
        let address = "http://\(hostname == "0.0.0.0" ? "localhost" : hostname):\(port)"
        // Written at once, even if the output is a file or a pipe.
        let warning =
          password.map {
            "Whoever reaches this machine can search, and see /counts; /pipelines asks for the password \($0).\n"
          } ?? ""
        FileHandle.standardOutput.write(
          Data("Open \(address) in a browser. Ctrl-C stops the server.\n\(warning)".utf8))
      })
    // The first is stopped last.
    let services = ServiceGroup(
      configuration: .init(
        services: [DatabaseCloser(database, logger: logger), application],
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger))
    do {
      try await services.run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw Refusal(description: "Port \(port) is taken. Choose another one with --port, or 0 for any that is free.")
    } catch let error as IOError where error.errnoCode == EACCES {
      throw Refusal(description: "Port \(port) may not be used by this user. Choose one above 1023 with --port.")
    } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL {
      throw Refusal(description: "\(hostname) is no address of this machine. Choose another one with --hostname.")
    }
  }

  /// The window into the pipelines: with a password, if others than this machine may ask.
  private func window() -> (Inspector.Endpoint, password: String?) {
    if ["127.0.0.1", "localhost", "::1"].contains(hostname) { return (Inspector.Endpoint(), nil) }
    var options = Inspector.Endpoint.Options()
    options.hosts = ["*"]
    options.token = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    return (Inspector.Endpoint(at: "/pipelines", options), options.token)
  }

  private static var defaultDatabase: String {
    let manager = FileManager.default
    let folder = manager.urls(for: .cachesDirectory, in: .userDomainMask).first ?? manager.temporaryDirectory
    return folder.appending(path: "penstock-item-search/items.sqlite").path(percentEncoded: false)
  }

  private func openDatabase(counts: QueryCounts, logger: Logger) throws -> ItemDatabase {
    let path = database ?? Self.defaultDatabase
    if !FileManager.default.fileExists(atPath: path) {
      logger.info("filling the database, once", metadata: ["database": "\(path)"])
    }
    do {
      let database = try ItemDatabase(path: path, source: shipped ? .shipped : .system) { event in counts.count(event) }
      logger.info(
        "database open",
        metadata: ["database": "\(path)", "items": "\(database.count)", "origin": "\(database.origin)"])
      return database
    } catch let error as ItemDatabaseError {
      throw Refusal(description: "\(error)")
    }
  }
}

/// An error that ends the program with a sentence, and not with the description of an error.
private struct Refusal: Error, CustomStringConvertible {
  let description: String
}
