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
package struct LiveLinks: Sendable {
  /// The first and the last object of a shard, and the number of its latest one.
  private struct Chain {
    var first: UnsafeMutablePointer<Enrolment>?
    var last: UnsafeMutablePointer<Enrolment>?
    var latest: UInt64 = 0
    var count = 0
  }

  /// A shard, far enough from the next one for threads on two cores.
  private struct Shard: ~Copyable {
    let chain = Guarded(Chain())
    let padding = CacheLine()
  }

  private static var shardBits: UInt32 { 4 }
  private static var shardCount: Int { 1 << Int(shardBits) }

  /// The greatest number of objects that are read under a lock at a time.
  private static var batch: Int { 256 }

  /// The address of the shards; zero before the first use.
  ///
  /// A constant needs no initialiser: the run-time would be called to find out whether that has run, for every object.
  private static let place = AtomicCell<UInt>(0)

  private static var shards: UnsafeMutablePointer<Shard> {
    UnsafeMutablePointer(bitPattern: place.load(ordering: .acquiring)) ?? makeShards()
  }

  @inline(never)
  private static func makeShards() -> UnsafeMutablePointer<Shard> {
    let made = UnsafeMutablePointer<Shard>.allocate(capacity: shardCount)
    for number in 0..<shardCount { (made + number).initialize(to: Shard()) }
    let (won, first) = place.compareExchange(
      expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
    if won { return made }
    // Another thread has been faster.
    made.deinitialize(count: shardCount)
    made.deallocate()
    return UnsafeMutablePointer(bitPattern: first).unsafelyUnwrapped
  }

  /// Adds an object, after all others of its thread's shard.
  ///
  /// It gets its number under the lock, under which it is read.
  fileprivate func add(_ enrolment: UnsafeMutablePointer<Enrolment>) {
    // Stacks of threads lie apart by a large power of two: the upper bits of the product depend on all others.
    let shard = (UInt64(currentThread()) &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(Self.shardBits))
    Self.shards[Int(truncatingIfNeeded: shard)].chain.withLock { chain in
      chain.latest &+= 1
      chain.count &+= 1
      enrolment.pointee.number = chain.latest << UInt64(Self.shardBits) | shard
      if let last = chain.last {
        last.pointee.next = enrolment
        enrolment.pointee.previous = last
      } else {
        chain.first = enrolment
      }
      chain.last = enrolment
    }
  }

  @inline(__always)
  fileprivate func remove(_ enrolment: UnsafeMutablePointer<Enrolment>) {
    let shard = Int(truncatingIfNeeded: enrolment.pointee.number) & (Self.shardCount - 1)
    Self.shards[shard].chain.withLock { chain in
      let (previous, next) = (enrolment.pointee.previous, enrolment.pointee.next)
      if let previous { previous.pointee.next = next } else { chain.first = next }
      if let next { next.pointee.previous = previous } else { chain.last = previous }
      chain.count &-= 1
    }
  }

  /// Calls a closure with each object that is alive.
  ///
  /// Objects that are made meanwhile may be missing. A number is never given to another object.
  package func forEach(_ body: ((number: UInt64, object: AnyObject)) -> Void) {
    for shard in 0..<Self.shardCount {
      var last: (object: AnyObject, enrolment: UnsafeMutablePointer<Enrolment>)?
      while true {
        // Released outside the lock: the last reference may be this one, and an object that is freed takes the lock. The
        // last one is kept until the next ones are read: so it is still in the list.
        let found = withExtendedLifetime(last) {
          Self.shards[shard].chain.withLock { chain in
            Self.living(from: last.map { $0.enrolment.pointee.next } ?? chain.first)
          }
        }
        for (object, enrolment) in found { body((enrolment.pointee.number, object)) }
        guard let end = found.last else { break }
        last = end
      }
    }
  }

  /// Returns the next objects that are alive; called under the lock.
  private static func living(
    from first: UnsafeMutablePointer<Enrolment>?
  ) -> [(object: AnyObject, enrolment: UnsafeMutablePointer<Enrolment>)] {
    var found: [(object: AnyObject, enrolment: UnsafeMutablePointer<Enrolment>)] = []
    var next = first
    while let enrolment = next, found.count < batch {
      if let object = enrolment.pointee.living { found.append((object, enrolment)) }
      next = enrolment.pointee.next
    }
    return found
  }

  /// The number of objects that are alive.
  package var count: Int { (0..<Self.shardCount).reduce(0) { $0 + Self.shards[$1].chain.withLock { $0.count } } }
}

/// The one list of the process.
package let liveLinks = LiveLinks()

/// A subscriber that is no link of its own, but a part of one.
internal protocol LinkPart {
  var link: any InspectableLink { get }
}

/// An object that a tool can look at while the process runs.
package protocol InspectableLink: AnyObject {
  /// The object's number in ``liveLinks``; zero if it is not in the list.
  var linkNumber: UInt64 { get }

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

/// The presence of an object in ``liveLinks``: the object calls ``begin(_:)`` when it is made, and ``end()`` in its
/// `deinit`.
///
/// The list leads through the objects' own memory, so that to come and to go takes no table. A stored property of a class
/// is never moved.
@usableFromInline
package struct Enrolment: ~Copyable, @unchecked Sendable {
  // `@unchecked`: set before another thread knows the object, but for the neighbours, which are behind the lock of the shard.

  /// The number of the object; zero before it is in the list.
  @usableFromInline package fileprivate(set) var number: UInt64 = 0
  private var object: Unmanaged<AnyObject>?

  private let previousAddress = ShownCell<UInt>(0)
  private let nextAddress = ShownCell<UInt>(0)

  @usableFromInline
  package init() {}

  /// Adds the object that owns this.
  ///
  /// Under the explorer of schedules nothing is added: each lock would be one more point at which threads may change.
  @usableFromInline
  package mutating func begin(_ object: AnyObject) {
    #if !PENSTOCK_EXPLORER
      self.object = Unmanaged.passUnretained(object)
      withUnsafeMutablePointer(to: &self) { liveLinks.add($0) }
    #endif
  }

  /// Removes the object, which is being freed.
  ///
  /// Not by a `deinit` of the value: it may work on a copy that is older than the lock. And a function of its own: where the
  /// value had a `deinit` and this was inlined into that of an object, the compiler stopped in release builds.
  @usableFromInline @inline(never)
  package mutating func end() {
    if number == 0 { return }
    if handlesDiscards.value { discards.forget(number) }
    withUnsafeMutablePointer(to: &self) { liveLinks.remove($0) }
    number = 0
  }

  fileprivate var previous: UnsafeMutablePointer<Enrolment>? {
    get { UnsafeMutablePointer(bitPattern: previousAddress.value) }
    nonmutating set { previousAddress.set(UInt(bitPattern: newValue)) }
  }

  fileprivate var next: UnsafeMutablePointer<Enrolment>? {
    get { UnsafeMutablePointer(bitPattern: nextAddress.value) }
    nonmutating set { nextAddress.set(UInt(bitPattern: newValue)) }
  }

  /// The object, unless it is being freed.
  ///
  /// Forming a weak reference retains the object for a moment. If that were the last reference when it is released, the
  /// object would be freed here, and take the lock that is held: so it is kept until the result is released. An object
  /// that is being freed already is not freed once more by it.
  ///
  /// Not optimised: a weak reference that is read where it is formed must not become a strong one.
  fileprivate var living: AnyObject? {
    @_optimize(none) @inline(never) get {
      guard let held = object?.takeUnretainedValue() else { return nil }
      let result = WeakReference(held).object
      withExtendedLifetime(held) {}
      return result
    }
  }
}
