// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What a subscriber received, and what was asked of each source: of the reference, or of the library.
struct StepLog: Equatable {
  struct Signal: Equatable {
    var time: Int
    /// `nil` for an end.
    var value: Int?
    var isFailure = false
  }

  /// One subscription of a source.
  struct Source: Equatable {
    /// What had been granted in all, by time.
    var granted: [(time: Int, total: Amount)] = []
    var delivered = 0
    var ending: Ending?
    /// Rules that were broken.
    var faults: [String] = []

    enum Ending: Equatable {
      case ended(Int), cancelled(Int)
    }

    mutating func grant(_ amount: Amount, at time: Int) {
      if amount == .none || ending != nil { return }
      let total = (granted.last?.total ?? .none) + amount
      if granted.last?.time == time { granted.removeLast() }
      granted.append((time, total))
    }

    static func == (a: Source, b: Source) -> Bool {
      a.delivered == b.delivered && a.ending == b.ending && a.faults == b.faults
        && a.granted.elementsEqual(b.granted) { $0 == $1 }
    }
  }

  var signals: [Signal] = []
  /// The subscriptions of each source, in their order.
  var sources: [Int: [Source]] = [:]

  /// Adds a subscription.
  ///
  /// - Returns: Its number among those of its source.
  mutating func subscribe(to source: Int) -> Int {
    sources[source, default: []].append(Source())
    return sources[source, default: []].count - 1
  }

  /// Without subscriptions that came to nothing: whether they are made at all is not said anywhere.
  var compared: StepLog {
    var log = self
    log.sources = sources.mapValues { $0.filter { !$0.granted.isEmpty || !$0.faults.isEmpty } }.filter { !$1.isEmpty }
    return log
  }
}

extension StepLog: CustomStringConvertible {
  var description: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    let received = signals.map { signal in
      "\(signal.value.map(String.init) ?? (signal.isFailure ? "failed" : "finished"))@\(signal.time)"
    }
    return ["received \(received.joined(separator: " "))"]
      + sources.sorted { $0.key < $1.key }.flatMap { id, subscriptions in
        subscriptions.map { "s\(id): \($0)" }
      }
  }
}

extension StepLog.Source: CustomStringConvertible {
  var description: String {
    let asked = granted.map { "\($0.total)@\($0.time)" }.joined(separator: " ")
    let end =
      switch ending {
      case .ended(let time): ", ended@\(time)"
      case .cancelled(let time): ", cancelled@\(time)"
      case nil: ""
      }
    return "granted \(asked), delivered \(delivered)\(end)" + faults.map { ", \($0)" }.joined()
  }
}
