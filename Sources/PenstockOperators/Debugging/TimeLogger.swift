// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A text stream that puts the time before each line.
///
/// ```swift
/// var elapsed = Duration.zero
/// let logger = TimeLogger(sinceOrigin: true, elapsed: { elapsed })
/// let subject = PassthroughSubject<Int, Never>()
/// let cancellable = subject.print("numbers", to: logger).sink { _ in }
/// elapsed = .milliseconds(1_500)
/// subject.send(1)
/// // Prints "+0.00000s: numbers: receive subscription: (PassthroughSubject)", "+0.00000s: numbers: request unlimited",
/// // "+1.50000s: numbers: receive value: (1)" on three lines.
/// ```
///
/// The time is in seconds, with five decimals, since the creation of the logger or since its previous line. The clock
/// is read when the first text of the line is written. A line is printed when it is complete; a line with nothing but
/// white space is printed without a time.
///
/// **Concurrency:** may be written to on any thread. Each thread writes its own line, so lines stay whole. No lock is
/// held while a line is printed.
public final class TimeLogger: TextOutputStream {
  /// A line that has not ended yet.
  fileprivate struct Line {
    var text = ""
    /// The time of its first character that is not white space.
    var beginning: Duration?
  }

  fileprivate struct State {
    /// The unfinished line of each thread.
    var lines: [UInt: Line] = [:]
    /// The time at which the previous line began.
    var previous = Duration.zero
  }

  private let state: Guarded<State>
  private let sinceOrigin: Bool
  private let elapsed: () -> Duration
  private let output: (String) -> Void

  /// Creates a logger with a closure for the time.
  ///
  /// - Parameters:
  ///   - sinceOrigin: Whether to show the time since the creation of the logger; otherwise since its previous line.
  ///   - elapsed: A closure that returns the time since a fixed moment.
  ///   - output: Called with each line, without its line break. By default the line is printed.
  public init(
    sinceOrigin: Bool = false, elapsed: @escaping () -> Duration, output: @escaping (String) -> Void = { print($0) }
  ) {
    let origin = elapsed()
    self.sinceOrigin = sinceOrigin
    self.elapsed = { elapsed() - origin }
    self.output = output
    state = Guarded(State())
  }

  /// Creates a logger with a clock.
  ///
  /// - Parameters:
  ///   - sinceOrigin: Whether to show the time since the creation of the logger; otherwise since its previous line.
  ///   - clock: The clock to read the time from.
  ///   - output: Called with each line, without its line break. By default the line is printed.
  public convenience init<C: Clock<Duration>>(
    sinceOrigin: Bool = false, clock: C, output: @escaping (String) -> Void = { print($0) }
  ) {
    let origin = clock.now
    self.init(sinceOrigin: sinceOrigin, elapsed: { origin.duration(to: clock.now) }, output: output)
  }

  /// Creates a logger with the system's clock.
  ///
  /// - Parameter sinceOrigin: Whether to show the time since the creation of the logger; otherwise since its previous
  ///   line.
  public convenience init(sinceOrigin: Bool = false) {
    self.init(sinceOrigin: sinceOrigin, clock: ContinuousClock())
  }

  /// Writes text, with the time before each line.
  public func write(_ string: String) {
    if string.isEmpty { return }
    let now = elapsed()
    let thread = currentThread()
    let complete = state.withLock { state in
      var complete: [String] = []
      var line = state.lines.removeValue(forKey: thread) ?? Line()
      for character in string {
        if character.isNewline {
          complete.append(state.end(line, sinceOrigin: sinceOrigin))
          line = Line()
        } else {
          if line.beginning == nil, !character.isWhitespace { line.beginning = now }
          line.text.append(character)
        }
      }
      if !line.text.isEmpty { state.lines[thread] = line }
      return complete
    }
    for line in complete { output(line) }
  }
}

extension TimeLogger.State {
  /// Ends a line.
  ///
  /// - Returns: The complete line, with its time.
  fileprivate mutating func end(_ line: TimeLogger.Line, sinceOrigin: Bool) -> String {
    guard let time = line.beginning else { return line.text }
    let shown = sinceOrigin ? time : time - previous
    previous = time
    return "+\(shown.inSeconds)s: \(line.text)"
  }
}

extension Duration {
  /// The seconds, with five decimals.
  fileprivate var inSeconds: String {
    let (seconds, attoseconds) = components
    let fraction = (attoseconds.magnitude + 5_000_000_000_000) / 10_000_000_000_000
    var units = UInt128(seconds.magnitude) * 100_000 + UInt128(fraction)
    let isNegative = self < .zero && units != 0
    let whole = units / 100_000
    units %= 100_000
    let digits = String(units)
    return (isNegative ? "-" : "") + "\(whole)." + String(repeating: "0", count: 5 - digits.count) + digits
  }
}
