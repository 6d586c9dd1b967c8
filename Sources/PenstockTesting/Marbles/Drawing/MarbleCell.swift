// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The positions of the events of one step of a stream, relative to the place of the step.
///
/// Values stand above each other. A beginning stands before them, and an end after them. A step with several lives of a
/// stream, such as those of a retry, shows one life after the other.
internal struct MarbleCell {
  /// A value with its symbol.
  struct Marble {
    var symbol: String
    var x: Int
    var y: Int
  }

  /// A beginning or an end.
  struct Act {
    var event: MarbleEvent
    var x: Int
  }

  private(set) var marbles: [Marble] = []
  private(set) var acts: [Act] = []
  /// The number of lives that are left out of the middle.
  private(set) var omission: (count: Int, x: Int)?
  /// The distance between the line and the text below it.
  private(set) var caption = 26
  private let measures: MarbleMeasures

  /// The most lives that are shown.
  private static let longestSequence = 6

  init(_ events: [MarbleEvent], _ measures: MarbleMeasures) {
    self.measures = measures
    let lives = Self.lives(events)
    if lives.count == 1 {
      place(events)
    } else {
      // Where the next life may begin, on the line and below it.
      var (right, below) = (Int.min, Int.min)
      for (index, life) in lives.enumerated() {
        if lives.count > Self.longestSequence, index == 3 {
          omission = (lives.count - 5, right + 12)
          right += 24
        }
        if lives.count > Self.longestSequence, (3..<(lives.count - 2)).contains(index) { continue }
        place(life, behind: &right, below: &below)
      }
    }
    let half = marbles.map { $0.y + measures.radius }.max() ?? 0
    if marbles.contains(where: { $0.y != 0 }) { caption = max(26, half + 12) }
  }

  /// The events, in lives of the stream that follow each other.
  private static func lives(_ events: [MarbleEvent]) -> [[MarbleEvent]] {
    let isOver = { (event: MarbleEvent) in event.isEnd || event == .cancelled }
    guard events.count(where: isOver) > 1 || events.count(where: { $0 == .subscribed }) > 1 else { return [events] }
    var lives: [[MarbleEvent]] = [[]]
    for event in events {
      let hasEnded = lives[lives.count - 1].contains(where: isOver)
      let hasBegun = !lives[lives.count - 1].isEmpty
      if hasEnded && (event == .subscribed || isOver(event)) || hasBegun && event == .subscribed { lives.append([]) }
      lives[lives.count - 1].append(event)
    }
    return lives
  }

  /// Places the events of a step with one life, or with the end of one and the beginning of the next.
  private mutating func place(_ events: [MarbleEvent]) {
    let half = stack(events, at: 0)
    let end = events.firstIndex { $0.isEnd || $0 == .cancelled }
    let start = events.firstIndex(of: .subscribed)
    let isAgain = if let start, let end { end < start } else { false }
    var x = half.map { $0 + 7 } ?? 0
    if let end, events[end].isFailure, half != nil { x += 5 }
    if half == nil, start != nil, end != nil, !isAgain { x = 16 }
    for event in events {
      switch event {
      case .subscribed: acts.append(Act(event: event, x: isAgain ? x + 15 : half.map { -$0 - 6 } ?? 0))
      case .finished, .failed, .cancelled: acts.append(Act(event: event, x: x))
      case .value, .requested: break
      }
    }
  }

  /// Places the events of one of several lives after those of the lives before it.
  private mutating func place(_ life: [MarbleEvent], behind right: inout Int, below: inout Int) {
    let widest = widestMarble(life)
    if right == .min { right = -(widest ?? 0) / 2 - (life.first == .subscribed ? 10 : 0) }
    for event in life where event == .subscribed {
      acts.append(Act(event: event, x: right + 8))
      right += 12
    }
    if let widest {
      right += 3
      _ = stack(life, at: right + widest / 2)
      right += widest + 2
    }
    for event in life where event.isEnd || event == .cancelled {
      var x = right + (event.isFailure ? 12 : 6)
      if let width = measures.captionWidth(of: event) {
        x = max(x, below == .min ? x : below + 6 + width / 2)
        below = x + width / 2
      }
      acts.append(Act(event: event, x: x))
      right = x + (event.isFailure ? 9 : 2)
    }
  }

  /// Places the values above each other; returns half of the width that they take, if there are any.
  private mutating func stack(_ events: [MarbleEvent], at x: Int) -> Int? {
    let symbols = events.compactMap(\.symbol)
    let distance = 2 * measures.radius + 3
    for (index, symbol) in symbols.enumerated() {
      let y = -distance * (symbols.count - 1) / 2 + distance * index
      marbles.append(Marble(symbol: symbol, x: x, y: y))
    }
    return widestMarble(events).map { $0 / 2 }
  }

  private func widestMarble(_ events: [MarbleEvent]) -> Int? {
    events.compactMap(\.symbol).map(measures.width).max()
  }
}

/// The sizes of the elements of a row.
internal struct MarbleMeasures: Hashable {
  /// The radius of a marble.
  var radius: Int
  /// The greatest width of a text.
  var textLimit: Int

  func width(of symbol: String) -> Int { MarbleShapes.marbleWidth(symbol, radius: radius, upTo: textLimit) }

  /// The width of the text below an event; `nil` for nothing.
  func captionWidth(of event: MarbleEvent) -> Int? {
    MarbleTrack.caption(of: event).map { MarbleShapes.captionWidth($0, upTo: textLimit) }
  }
}
