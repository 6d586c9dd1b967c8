// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Foundation
import PenstockWorkloads

/// Penstock's side of the workloads alone: one side of `Benchmarks/compare`.
///
///     measure --list            prints the names of the workloads
///     measure --once N NAME     runs one of them once, N times as large, and prints its number of values
///     measure                   reads names, a line each, and answers each with the nanoseconds for a value
///
/// What reads names runs a workload when it is told to, so that processes can take turns within milliseconds: whatever
/// slows the machine down for a while slows all of them down.
///
/// Neither OpenCombine nor a parser of arguments is linked, so that little has to be built for it.
@main
struct Measure {
  static func main() throws {
    let all = PenstockWorkloads.workloads() + PenstockWorkloads.ownWorkloads()
    let workloads = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--list" { return all.forEach { print($0.name) } }

    startSecondThread()
    if arguments.first == "--once" {
      guard arguments.count == 3, let times = Int(arguments[2]), let workload = workloads[arguments[3]] else { exit(2) }
      print(workload.size * times)
      _ = opaque(workload.run(opaque(workload.size * times)))
      return
    }
    while let name = readLine() {
      guard let workload = workloads[name] else { exit(2) }
      // The processor's caches and predictors still hold the other process.
      _ = workload.run(workload.size / 10)
      try FileHandle.standardOutput.write(contentsOf: Data("\(cost(workload.size, workload.run))\n".utf8))
    }
  }

  /// A process that has never had a second thread is spared the atomic instructions of its locks by the C library.
  private static func startSecondThread() {
    let done = DispatchSemaphore(value: 0)
    Thread { done.signal() }.start()
    done.wait()
  }
}
