// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import FleetWork

@main
struct Fleet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Fleet",
    abstract: "Workers that share orders: on three nodes of NATS, on Redis, or in memory.",
    discussion: """
      Starts the servers, a producer and the workers, and shows what they do. With --kill it takes servers and workers down
      while they run. At the end it waits until every order is done, and counts those that are missing: none may be.
      """,
    subcommands: [Run.self, WorkerCommand.self, ProducerCommand.self], defaultSubcommand: Run.self)
}

extension Engine: ExpressibleByArgument {}
