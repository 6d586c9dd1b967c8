// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// The values that wait in a ``ShareFanOut`` that refuses values for subscribers with enough waiting values.
///
/// Such a subscriber misses some values and gets later ones, so a position in a log would not suffice. It has a *lane*:
/// the places of its values, in order. The values are stored once, with the number of lanes that lead to each, and a
/// place is used again as soon as no lane leads to it: a subscriber that takes nothing keeps only its own values.
///
/// Accessed only by the owner of the loop.
@usableFromInline
internal final class ShareLanes<Output> {
  /// The maximum number of values that wait for a subscriber, apart from those that it has requested.
  @usableFromInline internal let limit: Int

  @usableFromInline internal var values: ContiguousArray<Output?> = []
  /// How many lanes lead to each place.
  @usableFromInline internal var uses: ContiguousArray<Int> = []
  @usableFromInline internal var freePlaces: ContiguousArray<Int> = []

  @usableFromInline internal var lanes: ContiguousArray<Deque<Int>> = []
  @usableFromInline internal var freeLanes: ContiguousArray<Int> = []

  @inlinable
  internal init(limit: Int) { self.limit = limit }

  // MARK: Lanes

  /// - Returns: The number of a new lane, which is empty.
  @usableFromInline
  internal func open() -> Int {
    if let lane = freeLanes.popLast() { return lane }
    lanes.append([])
    return lanes.count - 1
  }

  /// Removes a lane.
  ///
  /// - Returns: What waited in it.
  @usableFromInline
  internal func close(_ lane: Int) -> [Output] {
    var rest: [Output] = []
    while isEmpty(lane) == false { rest.append(takeFirst(of: lane)) }
    lanes[lane] = []
    freeLanes.append(lane)
    if freeLanes.count == lanes.count {
      lanes = []
      freeLanes = []
    }
    return rest
  }

  @inlinable
  internal func isEmpty(_ lane: Int) -> Bool { lanes[lane].isEmpty }

  /// Whether no value waits in any lane.
  @inlinable
  internal var areEmpty: Bool { freePlaces.count == values.count }

  @inlinable
  internal func count(in lane: Int) -> Int { lanes[lane].count }

  // MARK: Values

  /// Stores a value, to which no lane leads yet.
  ///
  /// - Returns: Its place.
  @inlinable
  internal func store(_ value: Output) -> Int {
    if let place = freePlaces.popLast() {
      values[place] = value
      return place
    }
    values.append(value)
    uses.append(0)
    return values.count - 1
  }

  @inlinable
  internal func append(_ place: Int, to lane: Int) {
    lanes[lane].append(place)
    uses[place] += 1
  }

  @inlinable
  internal func takeFirst(of lane: Int) -> Output {
    let place = lanes[lane].removeFirst()
    uses[place] -= 1
    guard uses[place] == 0 else { return values[place].unsafelyUnwrapped }
    var last: Output?
    swap(&last, &values[place])
    free(place)
    return last.unsafelyUnwrapped
  }

  @inlinable
  internal func free(_ place: Int) {
    freePlaces.append(place)
    if freePlaces.count == values.count, values.count > Self.spareLimit {
      values = []
      uses = []
      freePlaces = []
    }
  }

  /// The number of places that are kept while no value waits.
  @inlinable
  internal static var spareLimit: Int { 16 }
}
