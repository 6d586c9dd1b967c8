// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockConcurrency
  internal import PenstockCore

  /// The streams of deliveries of a connection, which finish when it is drained.
  internal final class RedisStreams: Sendable {
    private struct WeakReader {
      weak var object: RedisReader?
    }

    private struct State {
      var readers: [ObjectIdentifier: WeakReader] = [:]
      var isDraining = false
    }

    /// The unsettled deliveries of all streams.
    internal let unsettled = Tally()
    private let state = Guarded(State())

    internal var isDraining: Bool { state.withLock { $0.isDraining } }

    internal func add(_ reader: RedisReader) {
      state.withLock { $0.readers[ObjectIdentifier(reader)] = WeakReader(object: reader) }
    }

    internal func remove(_ reader: RedisReader) {
      let id = ObjectIdentifier(reader)
      _ = state.withLock { $0.readers.removeValue(forKey: id) }
    }

    /// Begins the end, and returns the readers that are to notice it.
    internal func beginDraining() -> [RedisReader] {
      state.withLock { state in
        state.isDraining = true
        return state.readers.values.compactMap(\.object)
      }
    }
  }
#endif
