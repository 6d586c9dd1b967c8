// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One of the streams that `flatMap` delivers from.
@usableFromInline
package final class InnerStream: Inlet {
  /// Where it stands among the others; guarded with them.
  @exclusivity(unchecked) @usableFromInline internal var place = 0

  @inlinable
  package override init() {}
}

/// The streams that are running.
///
/// Each knows its place, so that coming and going cost the same whatever their number; their order means nothing.
@usableFromInline
internal struct InnerStreams {
  @usableFromInline internal var streams: ContiguousArray<InnerStream> = []
  @usableFromInline internal var isClosed = false

  @inlinable
  internal init() {}

  /// - Returns: Whether there may be another one.
  @inlinable
  internal mutating func add(_ stream: InnerStream) -> Bool {
    if isClosed { return false }
    stream.place = streams.count
    streams.append(stream)
    return true
  }

  /// Removes a stream that is here, unless all have been.
  ///
  /// - Returns: Whether it was the last one.
  @inlinable
  internal mutating func remove(_ stream: InnerStream) -> Bool {
    guard !isClosed, let last = streams.popLast() else { return true }
    if last !== stream {
      last.place = stream.place
      streams[stream.place] = last
    }
    return streams.isEmpty
  }

  /// Removes all, and lets no more in.
  @inlinable
  internal mutating func close() -> ContiguousArray<InnerStream> {
    isClosed = true
    var removed: ContiguousArray<InnerStream> = []
    swap(&removed, &streams)
    return removed
  }
}

@available(*, unavailable)
extension InnerStreams: Sendable {}
