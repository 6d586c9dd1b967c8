// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Foundation
import PenstockWorkloads

/// Runs only Penstock's side of the workloads, as one side of `Benchmarks/compare`.
///
///     measure --list            prints the names of the workloads
///     measure --once N NAME     runs one of them once, N times as large, and prints its number of values
///     measure                   reads names, a line each, and answers each with the nanoseconds for a value
///
/// In the last form, a workload runs on command, so that processes can alternate within milliseconds: a temporary
/// slowdown of the machine then affects all of them.
///
/// Neither OpenCombine nor an argument parser is linked, so that little has to be built.
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
      // The processor's caches and predictors still contain the other process.
      _ = workload.run(workload.size / 10)
      try FileHandle.standardOutput.write(contentsOf: Data("\(cost(workload.size, workload.run))\n".utf8))
    }
  }

  /// Starts a second thread: before that, the C library leaves out the atomic instructions of its locks.
  private static func startSecondThread() {
    let done = DispatchSemaphore(value: 0)
    Thread { done.signal() }.start()
    done.wait()
  }
}
