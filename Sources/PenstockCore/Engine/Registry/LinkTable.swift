// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The objects of one shard of ``LiveLinks``, with constant cost to add and to remove.
///
/// The objects are in chunks, so that a lock is never held for longer than one chunk takes, however many objects exist,
/// and so that memory is given back when they are gone.
internal struct LinkTable: ~Copyable {
  /// An object with its number, or a free place, whose number is the next free place of the chunk.
  private typealias Entry = (object: Unmanaged<AnyObject>?, number: UInt64)

  private struct Chunk {
    let entries: UnsafeMutablePointer<Entry>
    /// The first free place; the size of a chunk if there is none.
    var free = 0
    var count = 0
    /// Its index among the chunks with a free place; meaningless for a chunk that has none.
    var openIndex = 0
  }

  private static var chunkBits: UInt32 { 8 }
  private static var chunkSize: Int { 1 << Int(chunkBits) }

  /// The chunks; `nil` where one has been freed.
  ///
  /// The first place of the first chunk is never used, so that no place is zero.
  private var chunks: ContiguousArray<Chunk?> = []
  /// The numbers of chunks with a free place; the last is used first.
  private var open: ContiguousArray<Int> = []
  /// The numbers of chunks that have been freed.
  private var vacant: ContiguousArray<Int> = []
  private var lastNumber: UInt64 = 0
  internal private(set) var count = 0

  internal init() {}

  internal mutating func add(_ object: Unmanaged<AnyObject>) -> UInt32 {
    let index = open.last ?? addChunk()
    // A chunk in the list of open ones has not been freed.
    var chunk = chunks[index].unsafelyUnwrapped
    let place = chunk.free
    chunk.free = Int(chunk.entries[place].number)
    chunk.count += 1
    chunks[index] = chunk
    lastNumber += 1
    count += 1
    chunk.entries[place] = (object, lastNumber)
    if chunk.free == Self.chunkSize { open.removeLast() }
    return UInt32(index + 1) << Self.chunkBits | UInt32(place)
  }

  private mutating func addChunk() -> Int {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: Self.chunkSize)
    for place in 0..<Self.chunkSize { (entries + place).initialize(to: (nil, UInt64(place + 1))) }
    let chunk = Chunk(entries: entries)
    let index: Int
    if let last = vacant.popLast() {
      index = last
      chunks[index] = chunk
    } else {
      index = chunks.count
      chunks.append(chunk)
    }
    reopen(index)
    return index
  }

  private mutating func reopen(_ index: Int) {
    chunks[index]?.openIndex = open.count
    open.append(index)
  }

  internal mutating func remove(_ place: UInt32) {
    let (index, place) = Self.split(place)
    guard var chunk = chunks[index] else { return }
    let wasFull = chunk.free == Self.chunkSize
    chunk.entries[place] = (nil, UInt64(chunk.free))
    chunk.free = place
    chunk.count -= 1
    count -= 1
    chunks[index] = chunk
    if wasFull {
      reopen(index)
    } else if chunk.count == 0, open.last != index {
      // The chunk in use is kept: otherwise an object that comes and goes would make and free a chunk each time.
      free(chunk, index)
    }
  }

  private mutating func free(_ chunk: Chunk, _ index: Int) {
    chunk.entries.deallocate()
    chunks[index] = nil
    vacant.append(index)
    // The last chunk takes its place in the list.
    let moved = open.removeLast()
    open[chunk.openIndex] = moved
    chunks[moved]?.openIndex = chunk.openIndex
  }

  private static func split(_ place: UInt32) -> (index: Int, place: Int) {
    (Int(place >> chunkBits) - 1, Int(place) & (chunkSize - 1))
  }

  internal func number(at place: UInt32) -> UInt64 {
    let (index, place) = Self.split(place)
    return chunks[index]?.entries[place].number ?? 0
  }

  /// Returns the objects of a chunk that are alive; `nil` after the last chunk.
  internal func links(inChunk index: Int) -> [LiveLink]? {
    guard index < chunks.count else { return nil }
    guard let chunk = chunks[index] else { return [] }
    var links: [LiveLink] = []
    links.reserveCapacity(chunk.count)
    for place in 0..<Self.chunkSize {
      let entry = chunk.entries[place]
      if let object = entry.object, let alive = living(object) {
        links.append(LiveLink(number: entry.number, object: alive))
      }
    }
    return links
  }
}

/// Returns the object, unless it is being freed.
///
/// Forming a weak reference retains the object for a moment. If that were the last reference when it is released, the
/// object would be freed here, and take the lock that is held: so it is kept until the result is released. An object
/// that is being freed already is not freed once more by it.
///
/// Not optimised: a weak reference that is read where it is formed must not become a strong one.
@_optimize(none) @inline(never)
private func living(_ object: Unmanaged<AnyObject>) -> AnyObject? {
  let held = object.takeUnretainedValue()
  let result = WeakReference(held).object
  withExtendedLifetime(held) {}
  return result
}
