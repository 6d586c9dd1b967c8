// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  internal import CoreMetrics
  internal import PenstockCore

  /// The metrics that publishers have in common.
  ///
  /// Making them takes several microseconds, and the meters of a factory without its own do not add up: so the metrics
  /// of a name are made once. They live as long as a publisher has them; the most recent ones are kept longer, for an
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
      /// A number that no other entry has.
      var number = 0

      var live: MetricHandles? { factory.isAlive ? handles.object : nil }
    }

    private struct State {
      var entries: [Key: Entry] = [:]
      /// The most recent metrics, each at the place of its number.
      var recent: [MetricHandles] = []
      /// How many have been made.
      var number = 0
      /// The number of entries above which obsolete ones are removed.
      var limit = 2 * MetricsRegistry.kept
    }

    internal static let shared = MetricsRegistry()
    private static let kept = 256

    private let state = Guarded(State())

    /// Returns the metrics of a name.
    ///
    /// - Parameters:
    ///   - name: The name of the stream.
    ///   - dimensions: The user's dimensions.
    ///   - factory: The factory that makes the metrics, if they do not exist yet.
    internal func handles(
      _ name: String, _ dimensions: [(String, String)], from factory: any MetricsFactory
    ) -> MetricHandles {
      let identity = FactoryIdentity(factory)
      // Sorted, since dimensions in any order are the same time series.
      let sorted = dimensions.count < 2 ? dimensions : dimensions.sorted { $0 < $1 }
      let key = Key(factory: identity, texts: sorted.reduce(into: [name]) { $0 += [$1.0, $1.1] })
      if let handles = state.withLock({ $0.entries[key]?.live }) { return handles }
      // Outside the lock, since this is the factory's code.
      checkDimensions(dimensions)
      let made = MetricHandles([("stream", name)] + dimensions, from: factory)
      let entry = Entry(handles: WeakReference(made), factory: FactoryReference(factory))
      return add(entry, made, for: key)
    }

    private func add(_ entry: Entry, _ made: MetricHandles, for key: Key) -> MetricHandles {
      // The metrics that are removed are released outside the lock.
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

    /// Forgets the names that no publisher uses any more.
    private func removeDead() {
      // Outside the lock, since checking an entry may release it.
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
