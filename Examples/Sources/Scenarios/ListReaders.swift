// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators

/// A clerk who files lines under their first letters, and records whether one task gets in the way of another.
private actor Clerk {
  private var busy: Set<Character> = []
  private(set) var atOnce = 0
  private(set) var hasOverlapped = false

  /// Begins to file a line.
  func begin(_ letter: Character) {
    if !busy.insert(letter).inserted { hasOverlapped = true }
    atOnce = max(atOnce, busy.count)
  }

  /// Finishes filing a line.
  func end(_ letter: Character) { busy.remove(letter) }
}

extension Scenario {
  static let listReaders = listReaders(of: MachineText.lines)

  /// Reads lines with readers of different speeds, and in pieces, and compares the results with loops.
  ///
  /// - Parameter lines: The lines; in the tour, those of a file that the machine has.
  public static func listReaders(of lines: [String]) -> Scenario {
    Scenario(
      name: "readers", heading: "Sharing, chunks, keys and pace: the same list, for readers of every speed"
    ) { page, tempo in
      // The same number on each machine, so that the times are the same.
      let hundred = (0..<100).map { lines.isEmpty ? "" : lines[$0 % lines.count] }
      page.showTwoReaders(of: hundred, in: tempo)
      page.showReaderWhoIsAway(of: hundred)
      page.print("What belongs together:")
      page.compareChunks(of: lines)
      page.compareBatches(of: hundred, in: tempo)
      page.showClerks(with: hundred, in: tempo)
    }
  }
}

extension Page {
  /// Reads the list once for two readers: the slow one takes 100 lines in a second.
  fileprivate func showTwoReaders(of lines: [String], in tempo: Tempo) {
    print("share(buffering:) and pace: a quick reader is four lines ahead of a slow one at most, and so is the list")
    var logger = tempo.logger(to: self)
    var (read, taken, ahead) = (0, 0, 0)
    let shared = lines.publisher
      .handleEvents(receiveOutput: { _ in read += 1 })
      // On the tempo, so that both readers have subscribed when the first line arrives.
      .receive(on: tempo)
      .share(buffering: .bounded(4))
    let quick = shared.count().map { "the quick reader has all \($0) lines" }
    let slow =
      shared
      .pace(100, per: .seconds(1), scheduler: tempo)
      .handleEvents(receiveOutput: { _ in
        ahead = max(ahead, read - taken)
        taken += 1
      })
      .count()
      .map { "the slow reader has all \($0) lines" }
    tempo.runToEnd(of: quick.merge(with: slow)) { Swift.print($0, to: &logger) }
    print("  read ahead: \(ahead) lines")
  }

  /// Shows a reader that reads only now and then, from a list that does not wait.
  fileprivate func showReaderWhoIsAway(of lines: [String]) {
    print("coalesce: a reader who looks up twice, and learns how many lines have passed")
    let feed = PassthroughSubject<String, Never>()
    let reader = DemandingSubscriber(page: self)
    feed.coalesce(into: 0) { count, _ in count += 1 }.subscribe(reader)
    reader.ask(for: .max(1))
    for line in lines { feed.send(line) }
    feed.send(completion: .finished)
    reader.ask(for: .max(1))
  }

  fileprivate func compareChunks(of lines: [String]) {
    var paragraphs: [[String]] = []
    var runs: [[String]] = []
    var sizes: [Character?: Int] = [:]
    for (number, line) in lines.enumerated() {
      let before = number > 0 ? lines[number - 1] : nil
      if let before, !before.isEmpty {
        paragraphs[paragraphs.count - 1].append(line)
      } else {
        paragraphs.append([line])
      }
      if let before, before.first == line.first { runs[runs.count - 1].append(line) } else { runs.append([line]) }
      sizes[line.first, default: 0] += 1
    }

    let stream = lines.publisher
    compare(
      "chunked(by:), the paragraphs, each with the line that ends it", stream.chunked { before, _ in !before.isEmpty },
      paragraphs)
    compare("chunked(on:), neighbours with the same first letter", stream.chunked { $0.first }.map { $0.1 }, runs)
    // There are as many open groups as letters.
    let groups = stream.grouped { $0.first }.flatMap { group in group.count().map { (group.key, $0) } }
    let found = groups.collect().map { Dictionary(uniqueKeysWithValues: $0) }
    compare("grouped(by:), how many lines each letter begins", found.assertNoFailure(), [sizes])
  }

  fileprivate func compareBatches(of lines: [String], in tempo: Tempo) {
    var batches: [[String]] = [[]]
    var weight = 0
    for line in lines {
      let isFull = batches[batches.count - 1].count == 20 || weight >= 300
      if isFull || (weight + line.count > 300 && !batches[batches.count - 1].isEmpty) {
        batches.append([])
        weight = 0
      }
      batches[batches.count - 1].append(line)
      weight += line.count
    }

    let collected = lines.publisher.collect(upTo: 20, weight: 300, within: 1, scheduler: tempo) { $0.count }
    tempo.runToEnd(of: collected.collect()) { found in
      self.print(
        "  collect(upTo:weight:within:), 20 lines or 300 letters: \(found == batches ? "as" : "not what") a loop finds")
    }
  }

  /// Eight tasks file lines: those with the same letter one after the other.
  fileprivate func showClerks(with lines: [String], in tempo: Tempo) {
    print("mapAsync(by:): eight tasks, and one at a time of those with the same first letter")
    let clerk = Clerk()
    var filed: [Character: [Int]] = [:]
    let work = lines.map { $0.first ?? " " }.enumerated().publisher
      .mapAsync(maxTasks: .max(8), by: { $0.element }) { number, letter in
        await clerk.begin(letter)
        await Task.yield()
        await clerk.end(letter)
        return (letter: letter, number: number)
      }
    tempo.runToEnd(of: work.receive(on: tempo)) { filed[$0.letter, default: []].append($0.number) }
    print("  filed: \(filed.values.reduce(0) { $0 + $1.count }) lines")
    print("  in order within each letter: \(filed.values.allSatisfy { $0 == $0.sorted() })")
    tempo.runToEnd(of: Deferred { (await clerk.hasOverlapped, await clerk.atOnce) }.receive(on: tempo)) {
      overlap, atOnce in
      self.print("  two tasks with one letter: \(overlap)")
      self.print("  more than eight at once: \(atOnce > 8)")
    }
  }
}
