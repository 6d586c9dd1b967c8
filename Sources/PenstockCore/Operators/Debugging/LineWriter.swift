// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule

/// Writes lines to standard output or to a user's stream, one at a time, from any thread.
///
/// The stream is taken out of the state while it writes, so that no lock is held meanwhile. A line that arrives during
/// that time, from another thread or from the stream itself, waits, and the thread that is writing writes it next.
@usableFromInline
package final class LineWriter {
  @usableFromInline
  internal struct State: ~Copyable {
    /// The stream, except while it is writing.
    internal var stream: AnyStream?
    internal var waiting: Deque<String> = []
  }

  /// A user's stream.
  ///
  /// Noncopyable: copying an existential goes through the tables of its type.
  internal struct AnyStream: ~Copyable {
    internal var base: any TextOutputStream

    /// Makes the same calls of `write(_:)` as `print(_:to:)`, in a fraction of the time.
    internal mutating func print(_ line: String) {
      base.write("")
      base.write(line)
      base.write("\n")
    }
  }

  internal let custom: Guarded<State>
  internal let isStandardOutput: Bool

  /// - Parameter stream: The stream to write to; `nil` for standard output.
  @usableFromInline
  package init(_ stream: (any TextOutputStream)?) {
    isStandardOutput = stream == nil
    custom = Guarded(State(stream: stream.map { AnyStream(base: $0) }))
  }

  @usableFromInline
  package func write(_ line: String) {
    if isStandardOutput { return print(line) }
    var stream: AnyStream?
    var next: String? = custom.withLock { state in
      if state.stream == nil {
        state.waiting.append(line)
        return nil
      }
      swap(&state.stream, &stream)
      return line
    }
    while let line = next {
      stream?.print(line)
      // The line that has waited longest; if no line waits, the stream goes back into the state.
      next = custom.withLock { state in
        let next = state.waiting.popFirst()
        if next == nil { swap(&state.stream, &stream) }
        return next
      }
    }
  }
}
