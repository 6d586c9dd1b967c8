// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if canImport(PenstockInspector)
  import AllocationCounter
  import BenchmarkKit
  import Dispatch
  import Penstock
  import PenstockConcurrency

  /// Measures `Publishers.fetching` beside a loop that awaits the same batches.
  struct FetchingSection {
    let rounds: Int
    let scale: Int

    func run(into report: inout Report) throws {
      let batches = [1, 64, 512]
      let pairs = batches.map { batch -> (Workload, Workload) in
        let client = Client(batch)
        let byHand = Workload("batches of \(batch)", "fetching") { count in finish { await loop(client, count) } }
        let fetched = Workload("batches of \(batch)", "fetching") { count in finish { await stream(client, count) } }
        return (byHand, fetched)
      }
      report.fetching = try PairSection(
        title: "Batches that are fetched", names: ("a loop", "fetching"), rounds: rounds, scale: scale
      ).run(pairs)
      guard allocation_counter_is_supported() else { return }
      print("\nAllocations for each batch:\n")
      let table = Table(["workload", "a loop", "fetching"], widths: [42, 12, 9])
      for (batch, (byHand, fetched)) in zip(batches, pairs) {
        let counts = [byHand, fetched].map { workload in
          AllocationSection.count(workload, of: batch * 20, and: batch * 220).value.map { $0 * Double(batch) } ?? 0
        }
        table.row([byHand.name, "\(counts[0], 2)", "\(counts[1], 2)"])
        report.fetchingAllocations[byHand.name] = counts
      }
    }
  }

  /// A client that answers with values that it already has.
  private struct Client: Sendable {
    let batch: Int
    private let values: [Int]

    init(_ batch: Int) {
      self.batch = batch
      values = Array(0..<batch)
    }

    @inline(never)
    func read(_ count: Int) async -> [Int] { count == batch ? values : Array(values.prefix(count)) }
  }

  @inline(never)
  private func loop(_ client: Client, _ count: Int) async -> Int {
    var sum = 0
    var left = count
    while left > 0 {
      let batch = await client.read(min(client.batch, left))
      for value in batch { sum &+= value }
      left -= batch.count
    }
    return sum
  }

  @inline(never)
  private func stream(_ client: Client, _ count: Int) async -> Int {
    let tally = Shared(Tally())
    let kept = Shared(Kept())
    return await withCheckedContinuation { continuation in
      kept.value.cancellable = Publishers.fetching(batch: 1...client.batch) { await client.read($0) }.prefix(count)
        .sink(
          receiveCompletion: { _ in continuation.resume(returning: tally.value.sum) },
          receiveValue: { tally.value.add($0) })
    }
  }

  private final class Kept {
    var cancellable: AnyCancellable?
  }

  /// Waits for the result of a task.
  private func finish(_ work: @escaping @Sendable () async -> Int) -> Int {
    let result = Shared(Tally())
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      result.value.add(await work())
      done.signal()
    }
    done.wait()
    return result.value.sum
  }
#endif
