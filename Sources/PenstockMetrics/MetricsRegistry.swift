// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  internal import CoreMetrics
  internal import PenstockCore

  /// The metrics that publishers have in common.
  ///
  /// To make them takes several microseconds, and a meter of a factory that has none of its own counts for itself: so those
  /// of one name are made once. They live as long as a publisher has them; those that were made last are kept longer, for an
  /// operator that is called for each value.
  internal final class MetricsRegistry: Sendable {
    private struct Key: Hashable {
      let factory: FactoryIdentity
      /// The name, and then each dimension and its value.
      let texts: [String]
    }

    private struct Entry {
      let handles: WeakReference<MetricHandles>
      let factory: FactoryReference
      /// No other entry has it.
      var number = 0

      var live: MetricHandles? { factory.isAlive ? handles.object : nil }
    }

    private struct State {
      var entries: [Key: Entry] = [:]
      /// Those that were made last, each at its number's place.
      var recent: [MetricHandles] = []
      /// How many have been made.
      var number = 0
      /// How many entries there may be before those that are over are removed.
      var limit = 2 * MetricsRegistry.kept
    }

    internal static let shared = MetricsRegistry()
    private static let kept = 256

    private let state = Guarded(State())

    /// The metrics of a name.
    ///
    /// - Parameters:
    ///   - name: The name of the stream.
    ///   - dimensions: The user's dimensions.
    ///   - factory: What makes the metrics, unless there are some.
    internal func handles(
      _ name: String, _ dimensions: [(String, String)], from factory: any MetricsFactory
    ) -> MetricHandles {
      let identity = FactoryIdentity(factory)
      // In whatever order they are given: they are the same time series.
      let sorted = dimensions.count < 2 ? dimensions : dimensions.sorted { $0 < $1 }
      let key = Key(factory: identity, texts: sorted.reduce(into: [name]) { $0 += [$1.0, $1.1] })
      if let handles = state.withLock({ $0.entries[key]?.live }) { return handles }
      // Outside of the lock, since that is the factory's code.
      checkDimensions(dimensions)
      let made = MetricHandles([("stream", name)] + dimensions, from: factory)
      let entry = Entry(handles: WeakReference(made), factory: FactoryReference(factory))
      return add(entry, made, for: key)
    }

    private func add(_ entry: Entry, _ made: MetricHandles, for key: Key) -> MetricHandles {
      // What goes is released outside of the lock.
      var oldest: MetricHandles?
      var replaced: Entry?
      let (handles, isFull) = state.withLock { state in
        // Another thread may have made them meanwhile.
        if let handles = state.entries[key]?.live { return (handles, false) }
        var entry = entry
        state.number += 1
        entry.number = state.number
        replaced = state.entries.updateValue(entry, forKey: key)
        if state.recent.count < Self.kept {
          state.recent.append(made)
        } else {
          oldest = exchange(&state.recent[state.number % Self.kept], with: made)
        }
        return (made, state.entries.count > state.limit)
      }
      withExtendedLifetime((oldest, replaced)) {}
      if isFull { removeDead() }
      return handles
    }

    /// Forgets the names that no publisher has any more.
    private func removeDead() {
      // Outside of the lock: to look at one may be to release it.
      let dead = state.withLock { $0.entries }.filter { $0.value.live == nil }
      state.withLock { state in
        for (key, entry) in dead where state.entries[key]?.number == entry.number { state.entries[key] = nil }
        state.limit = 2 * (Self.kept + state.entries.count)
      }
    }
  }

  /// Traps if metrics would have a dimension twice.
  private func checkDimensions(_ dimensions: [(String, String)]) {
    var names: Set = ["stream", "reason", "end"]
    for (name, _) in dimensions {
      require(
        names.insert(name).inserted, of: "metered(dimensions:)",
        rule: "each name once, and not stream, reason or end, which it sets itself", given: name)
    }
  }
#endif
