// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The values of a stream, with their times: the reference with which a pipeline is compared.
///
/// Operators are pure functions from timelines to timelines, written down from their documentation, without regard to
/// the library's implementation. Times are nanoseconds of virtual time.
struct Timeline: Equatable {
  struct Moment: Equatable {
    var time: Int
    var value: Int
  }

  struct End: Equatable {
    var time: Int
    var isFailure: Bool
  }

  var moments: [Moment] = []
  /// `nil` for a stream that never ends.
  var end: End?
}

extension Timeline: CustomStringConvertible {
  var description: String {
    let values = moments.map { "\($0.value)@\($0.time)" }
    return (values + [end.map { "\($0.isFailure ? "failed" : "finished")@\($0.time)" } ?? "open"]).joined(
      separator: " ")
  }
}

extension Timeline {
  /// The same end with other values.
  func with(_ moments: [Moment]) -> Timeline { Timeline(moments: moments, end: end) }

  func mapped(_ transform: (Int) -> Int) -> Timeline {
    with(moments.map { Moment(time: $0.time, value: transform($0.value)) })
  }

  /// Values are chosen and replaced one after the other.
  func compacted(_ choose: (Int) -> Int?) -> Timeline {
    with(moments.compactMap { moment in choose(moment.value).map { Moment(time: moment.time, value: $0) } })
  }

  /// Ends with the first value that satisfies a condition.
  ///
  /// - Parameter keeps: Whether that value is delivered.
  func finished(atFirst condition: (Int) -> Bool, keeps: Bool) -> Timeline {
    guard let place = moments.firstIndex(where: { condition($0.value) }) else { return self }
    return Timeline(
      moments: Array(moments[...(keeps ? place : place - 1)]), end: End(time: moments[place].time, isFailure: false))
  }

  /// The values until a time, and then a finish.
  func cut(at time: Int) -> Timeline {
    if let end, end.time < time { return self }
    return Timeline(moments: moments.filter { $0.time < time }, end: End(time: time, isFailure: false))
  }

  /// One result at the finish; a failure replaces it.
  func reduced(_ result: ([Int]) -> [Int]) -> Timeline {
    guard let end else { return Timeline() }
    if end.isFailure { return Timeline(end: end) }
    return Timeline(moments: result(moments.map(\.value)).map { Moment(time: end.time, value: $0) }, end: end)
  }

  func shifted(by delay: Int) -> Timeline {
    Timeline(
      moments: moments.map { Moment(time: $0.time + delay, value: $0.value) },
      end: end.map { End(time: $0.time + delay, isFailure: $0.isFailure) })
  }

  /// This timeline until its finish, and then the one that the closure makes for that time.
  func followed(by next: (Int) -> Timeline) -> Timeline {
    guard let end, !end.isFailure else { return self }
    let rest = next(end.time)
    return Timeline(moments: moments + rest.moments, end: rest.end)
  }

  /// This timeline until its failure, and then the one that the closure makes for that time.
  func recovered(by next: (Int) -> Timeline) -> Timeline {
    guard let end, end.isFailure else { return self }
    let rest = next(end.time)
    return Timeline(moments: moments + rest.moments, end: rest.end)
  }

  /// The signals of several timelines, in the order of time; the earlier timeline first if times are equal.
  static func signals(_ timelines: [Timeline]) -> [(place: Int, time: Int, value: Int?, isFailure: Bool)] {
    var signals: [(place: Int, time: Int, value: Int?, isFailure: Bool)] = []
    for (place, timeline) in timelines.enumerated() {
      signals += timeline.moments.map { (place, $0.time, $0.value, false) }
      if let end = timeline.end { signals.append((place, end.time, nil, end.isFailure)) }
    }
    // A stable sort by time.
    return signals.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  static func merged(_ timelines: [Timeline]) -> Timeline { joined(timelines) { _, value in value } }

  /// Ends with the first failure, or with the last finish.
  ///
  /// - Parameter output: Returns the output for a value of the timeline at a place, if there is one.
  private static func joined(_ timelines: [Timeline], _ output: (_ place: Int, _ value: Int) -> Int?) -> Timeline {
    var (result, running) = (Timeline(), timelines.count)
    for signal in signals(timelines) {
      if let value = signal.value {
        if let value = output(signal.place, value) { result.moments.append(Moment(time: signal.time, value: value)) }
        continue
      }
      running -= 1
      if signal.isFailure || running == 0 {
        result.end = End(time: signal.time, isFailure: signal.isFailure)
        return result
      }
    }
    return result
  }

  static func zipped(_ a: Timeline, _ b: Timeline, _ combine: (Int, Int) -> Int) -> Timeline {
    var result = Timeline()
    var waiting: [[Int]] = [[], []]
    var isFinished = [false, false]
    for signal in signals([a, b]) {
      if let value = signal.value {
        waiting[signal.place].append(value)
        if waiting.allSatisfy({ !$0.isEmpty }) {
          let pair = (waiting[0].removeFirst(), waiting[1].removeFirst())
          result.moments.append(Moment(time: signal.time, value: combine(pair.0, pair.1)))
        }
      } else if signal.isFailure {
        result.end = End(time: signal.time, isFailure: true)
        return result
      } else {
        isFinished[signal.place] = true
      }
      // No pair is possible any more.
      if (0...1).contains(where: { isFinished[$0] && waiting[$0].isEmpty }) {
        result.end = End(time: signal.time, isFailure: false)
        return result
      }
    }
    return result
  }

  static func combined(_ a: Timeline, _ b: Timeline, _ combine: (Int, Int) -> Int) -> Timeline {
    var latest: [Int?] = [nil, nil]
    return joined([a, b]) { place, value in
      latest[place] = value
      guard let first = latest[0], let second = latest[1] else { return nil }
      return combine(first, second)
    }
  }

  /// Each value with the other's latest; the other's finish ends the stream if it has had no value.
  func withLatest(_ other: Timeline, _ combine: (Int, Int) -> Int) -> Timeline {
    var result = Timeline()
    var latest: Int?
    for signal in Self.signals([other, self]) {
      switch (signal.place, signal.value) {
      case (0, .some(let value)): latest = value
      case (0, .none) where !signal.isFailure && latest != nil: break
      case (_, .some(let value)):
        if let latest { result.moments.append(Moment(time: signal.time, value: combine(value, latest))) }
      case (_, .none):
        result.end = End(time: signal.time, isFailure: signal.isFailure)
        return result
      }
    }
    return result
  }

  /// Each value after a delay, if no other has come by then; a finish drops the one that waits.
  func debounced(_ due: Int) -> Timeline {
    var kept: [Moment] = []
    for (place, moment) in moments.enumerated() {
      let time = moment.time + due
      if place + 1 < moments.count, moments[place + 1].time < time { continue }
      if let end, end.time < time { continue }
      kept.append(Moment(time: time, value: moment.value))
    }
    return with(kept)
  }

  /// The values of the latest of the publishers that values become: one of a single value, later.
  func switched(after delay: Int) -> Timeline {
    flattened(after: delay) { place, time in place + 1 < moments.count && moments[place + 1].time < time }
  }

  /// The values of all publishers that values become: one of a single value, later.
  ///
  /// - Parameter isLeft: Whether the publisher of the value at a place has been left before its time.
  func flattened(after delay: Int, unless isLeft: (_ place: Int, _ time: Int) -> Bool = { _, _ in false }) -> Timeline {
    var result = Timeline()
    for (place, moment) in moments.enumerated() {
      let time = moment.time + delay
      if isLeft(place, time) { continue }
      if let end, end.isFailure, end.time < time { continue }
      result.moments.append(Moment(time: time, value: moment.value))
    }
    if let end {
      let last = end.isFailure ? nil : moments.last.map { $0.time + delay }
      result.end = End(time: max(end.time, last ?? end.time), isFailure: end.isFailure)
    }
    return result
  }
}
