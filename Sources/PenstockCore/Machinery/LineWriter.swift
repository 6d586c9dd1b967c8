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
  internal struct State: ~Copyable {
    /// The stream, unless it is writing.
    internal var stream: AnyStream?
    internal var waiting: Deque<String> = []
  }

  /// Cannot be copied: a copy of a stream whose type is not known goes through tables of its type.
  @usableFromInline
  internal struct AnyStream: ~Copyable {
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
      // The line that has waited longest, or the stream goes back to its place.
      next = custom.withLock { state in
        let next = state.waiting.popFirst()
        if next == nil { swap(&state.stream, &stream) }
        return next
      }
    }
  }
}
