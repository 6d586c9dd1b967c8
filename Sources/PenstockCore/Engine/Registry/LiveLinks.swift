// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// The list of every subscription and every end of a chain that is alive, for tools that look into a running process.
///
/// So tools also see streams that were made before anybody looked. Each object adds itself when it is made and removes
/// itself when it is freed, which takes a short lock each time; a value costs nothing. Objects that were made on the
/// same thread share a lock, so threads seldom meet.
///
/// The objects are not retained, and a reader must not revive one that is being freed. So it forms a weak reference,
/// which is `nil` from the moment at which the object's last strong reference has gone; the memory is valid until then, since
/// an object leaves the list under the same lock before its memory is freed.
package struct LiveLinks: ~Copyable, @unchecked Sendable {
  // `@unchecked`: all state is behind the locks of the shards.

  /// A shard, far enough from the next one for threads on two cores.
  private struct Shard: ~Copyable {
    let table = Guarded(LinkTable())
    let padding = CacheLine()
  }

  private static var shardBits: UInt32 { 4 }
  private static var shardCount: Int { 1 << Int(shardBits) }

  private let shards: UnsafeMutablePointer<Shard>

  fileprivate init() {
    shards = .allocate(capacity: Self.shardCount)
    for number in 0..<Self.shardCount { (shards + number).initialize(to: Shard()) }
  }

  /// Adds an object.
  ///
  /// - Returns: Its place, for ``remove(_:)``; never zero.
  fileprivate func add(_ object: AnyObject) -> UInt32 {
    // Stacks of threads lie apart by a large power of two: the upper bits of the product depend on all others.
    let number = Int(
      truncatingIfNeeded: (UInt64(currentThread()) &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(Self.shardBits)))
    let place = shards[number].table.withLock { $0.add(Unmanaged.passUnretained(object)) }
    return place << Self.shardBits | UInt32(number)
  }

  fileprivate func remove(_ place: UInt32) {
    shards[Int(place) & (Self.shardCount - 1)].table.withLock { $0.remove(place >> Self.shardBits) }
  }

  /// Calls a closure with each object that is alive, and with its number.
  ///
  /// The number is never given to another object. Objects that are made meanwhile may be missing.
  package func forEach(_ body: (LiveLink) -> Void) {
    for number in 0..<Self.shardCount {
      var chunk = 0
      while true {
        // Released outside the lock: the last reference may be this one, and an object that is freed takes the lock.
        guard let links = shards[number].table.withLock({ $0.links(inChunk: chunk) }) else { break }
        for link in links { body(LiveLink(number: Self.number(link.number, in: number), object: link.object)) }
        chunk += 1
      }
    }
  }

  /// Returns the number of an object that is alive; zero for an object that has never been in the list.
  package func number(of object: some InspectableLink) -> UInt64 { number(at: object.enrolledPlace) }

  /// Returns the number of the object that is in a place now.
  package func number(at place: UInt32) -> UInt64 {
    if place == 0 { return 0 }
    let shard = Int(place) & (Self.shardCount - 1)
    return Self.number(shards[shard].table.withLock { $0.number(at: place >> Self.shardBits) }, in: shard)
  }

  /// Returns a number of a shard's as a number that no other shard gives.
  private static func number(_ number: UInt64, in shard: Int) -> UInt64 { number << UInt64(shardBits) | UInt64(shard) }

  /// The number of objects that are alive.
  package var count: Int { (0..<Self.shardCount).reduce(0) { $0 + shards[$1].table.withLock { $0.count } } }
}

/// The one list of the process.
package let liveLinks = LiveLinks()

/// An object of ``liveLinks``.
package struct LiveLink {
  package let number: UInt64
  package let object: AnyObject
}

/// A subscriber that is no link of its own, but a part of one.
internal protocol LinkPart {
  var link: any InspectableLink { get }
}

/// An object that a tool can look at while the process runs.
package protocol InspectableLink: AnyObject {
  /// The object's place in ``liveLinks``; zero if it has none.
  var enrolledPlace: UInt32 { get }

  /// Shows the object's state.
  ///
  /// Called on any thread, at any time: it reads state that is atomic or behind a lock, and calls nothing of the
  /// user's.
  func show(in link: inout LinkState)
}

/// The subscriber that a source keeps, as tools see it.
package protocol KeptSubscriber: AnyObject {
  /// The subscriber, of its own type.
  var underlying: Any { get }

  /// The operators that it passes values through.
  var passed: PassedLinks { get }
}

/// The presence of an object in ``liveLinks``, from ``begin(_:)`` until the object is freed.
@usableFromInline
package struct Enrolment: ~Copyable, @unchecked Sendable {
  // `@unchecked`: set before another thread knows the object.

  @usableFromInline package private(set) var place: UInt32 = 0

  @inlinable
  package init() {}

  deinit {
    if place == 0 { return }
    // This comes first: another object may get the place at once.
    if handlesDiscards.value { discards.forget(place) }
    liveLinks.remove(place)
  }

  /// Adds the object that owns this.
  ///
  /// Under the explorer of schedules nothing is added: each lock would be one more point at which threads may change.
  @usableFromInline
  package mutating func begin(_ object: AnyObject) {
    #if !PENSTOCK_EXPLORER
      place = liveLinks.add(object)
    #endif
  }
}
