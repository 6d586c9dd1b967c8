// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The signals that a subscriber received, and the demand on each source: of the reference, or of the library.
struct StepLog: Equatable {
  struct Signal: Equatable {
    var time: Int
    /// `nil` for an end.
    var value: Int?
    var isFailure = false
  }

  /// One subscription of a source.
  struct Source: Equatable {
    /// The time of the subscription.
    var start: Int
    /// The total demand that had been granted, by time.
    var granted: [(time: Int, total: Amount)] = []
    var delivered: [Int] = []
    var ending: Ending?
    /// Rules that were broken.
    var faults: [String] = []

    enum Ending: Equatable {
      case ended(Int), cancelled(Int)
    }

    mutating func grant(_ amount: Amount, at time: Int) {
      let before = granted.last?.total ?? .none
      if amount == .none || before.isUnlimited || ending != nil { return }
      let total = before + amount
      if granted.last?.time == time { granted.removeLast() }
      granted.append((time, total))
    }

    fileprivate var compared: Source {
      let time: Int
      switch ending {
      case .ended(let end), .cancelled(let end): time = end
      case nil: return self
      }
      var source = self
      source.granted.removeAll { $0.time == time }
      return source
    }

    fileprivate var isNothing: Bool {
      if !faults.isEmpty || !delivered.isEmpty { return false }
      return granted.isEmpty || ending == .ended(start) || ending == .cancelled(start)
    }

    static func == (a: Source, b: Source) -> Bool {
      a.start == b.start && a.delivered == b.delivered && a.ending == b.ending && a.faults == b.faults
        && a.granted.elementsEqual(b.granted) { $0 == $1 }
    }
  }

  var signals: [Signal] = []
  /// Rules that were broken.
  var faults: [String] = []
  /// The subscriptions of each source, in their order.
  var sources: [Int: [Source]] = [:]

  /// Whether the reference says nothing about the sources.
  var isOpen = false
  /// Whether it says nothing about the order of values.
  var isUndetermined = false

  /// Adds a subscription.
  ///
  /// - Returns: Its number among those of its source.
  mutating func subscribe(to source: Int, at time: Int) -> Int {
    sources[source, default: []].append(Source(start: time))
    return sources[source, default: []].count - 1
  }

  /// The log without everything that is left open: subscriptions that came to nothing, or were over when they began,
  /// since it is not documented whether they are made when the end is already known; and demand that is granted to a
  /// source in the instant in which it ends or is cancelled, since it is not documented whether a request comes before
  /// that.
  var compared: StepLog {
    var log = self
    if isOpen { log.sources = [:] }
    log.sources = log.sources.mapValues { $0.filter { !$0.isNothing }.map(\.compared) }.filter { !$1.isEmpty }
    return log
  }
}

extension StepLog: CustomStringConvertible {
  var description: String { lines.joined(separator: "\n") }

  /// One for the subscriber, and one for each subscription of a source.
  var lines: [String] {
    let received = signals.map { signal in
      "\(signal.value.map(String.init) ?? (signal.isFailure ? "failed" : "finished"))@\(signal.time)"
    }
    return [(["received"] + received + faults).joined(separator: " ")]
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
    return "granted \(asked), delivered \(delivered.map(String.init).joined(separator: " "))\(end)"
      + faults.map { ", \($0)" }.joined()
  }
}
