// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule

/// Writes lines to standard output, or to a stream of the user's: one at a time, whichever threads they come from.
///
/// The stream is taken out while it writes, so that no lock is held meanwhile. A line that comes in the meantime, from
/// another thread or from inside of the stream itself, waits; whoever is writing writes it next.
@usableFromInline
package final class LineWriter {
  @usableFromInline
  internal struct State {
    /// The stream, unless it is writing.
    internal var stream: AnyStream?
    internal var waiting: Deque<String> = []
  }

  @usableFromInline
  internal struct AnyStream {
    internal var base: any TextOutputStream

    /// Makes the writes that `print(_:to:)` makes, in a fraction of the time.
    internal mutating func print(_ line: String) {
      base.write("")
      base.write(line)
      base.write("\n")
    }
  }

  @usableFromInline internal let custom: Guarded<State>
  @usableFromInline internal let isStandardOutput: Bool

  /// - Parameter stream: Where to write; `nil` for standard output.
  @usableFromInline
  package init(_ stream: (any TextOutputStream)?) {
    isStandardOutput = stream == nil
    custom = Guarded(State(stream: stream.map(AnyStream.init)))
  }

  @usableFromInline
  package func write(_ line: String) {
    if isStandardOutput { return print(line) }
    let stream = custom.withLock { state -> AnyStream? in
      if state.stream == nil { state.waiting.append(line) }
      return state.stream.take()
    }
    guard var stream else { return }
    stream.print(line)
    while let next = nextLine(orPutBack: stream) { stream.print(next) }
  }

  /// The line that has waited longest, or the stream back in its place if there is none.
  private func nextLine(orPutBack stream: AnyStream) -> String? {
    custom.withLock { state in
      if let next = state.waiting.popFirst() { return next }
      state.stream = stream
      return nil
    }
  }
}

@available(*, unavailable)
extension LineWriter: Sendable {}

@available(*, unavailable)
extension LineWriter.State: Sendable {}

@available(*, unavailable)
extension LineWriter.AnyStream: Sendable {}
