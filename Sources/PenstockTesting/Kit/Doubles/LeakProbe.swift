// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A probe that finds objects that are still in memory, without waiting, and says what holds them.
///
/// Swift frees an object as soon as nothing holds it, so there is nothing to wait for: look right after the call that
/// should have released it.
///
/// ```swift
/// final class Cell {
///   var onTap: (() -> Void)?
/// }
///
/// let probe = LeakProbe()
/// do {
///   let cell = probe.watch(Cell(), "cell")
///   cell.onTap = { print(cell) }
/// }
/// print(probe.survivors.map(\.description))
/// // Prints "["cell is held by a closure, or by something that is not watched"]"
/// ```
///
/// To find what holds an object, the probe looks through the stored properties of the other survivors, and of the
/// objects that are passed to ``survivors(lookingIn:)``. It cannot see what closures capture.
///
/// **Concurrency:** may be used on any thread.
public final class LeakProbe: Sendable {
  /// An object that is still in memory.
  public struct Survivor: Sendable, CustomStringConvertible {
    /// The name under which it is watched.
    public let name: String

    /// The paths to it from other objects, such as `publisher.subscribers[0].downstream`.
    public let holders: [String]

    /// The name, and what holds the object.
    public var description: String {
      holders.isEmpty
        ? "\(name) is held by a closure, or by something that is not watched"
        : "\(name) is held by \(holders.joined(separator: " and "))"
    }
  }

  private let watched = Locked<[(name: String, object: () -> AnyObject?)]>([])

  /// Creates a probe that watches nothing.
  public init() {}

  /// Watches an object, by a weak reference.
  ///
  /// - Returns: The object.
  @discardableResult
  public func watch<Object: AnyObject>(_ object: Object, _ name: String? = nil) -> Object {
    weak var weakObject: Object?
    weakObject = object
    let entry: (name: String, object: () -> AnyObject?) = (name ?? String(describing: Object.self), { weakObject })
    watched.with { $0.append(entry) }
    return object
  }

  /// The objects that are still in memory, each with the survivors that hold it.
  public var survivors: [Survivor] { survivors(lookingIn: [:]) }

  /// The objects that are still in memory, each with what holds it among the survivors and below other objects.
  ///
  /// - Parameter roots: Objects that may hold the survivors, by name.
  public func survivors(lookingIn roots: [String: AnyObject]) -> [Survivor] {
    let alive = watched.value.compactMap { entry in entry.object().map { (name: entry.name, object: $0) } }
    guard !alive.isEmpty else { return [] }
    var search = HolderSearch(targets: alive.map { ObjectIdentifier($0.object) })
    for (name, object) in alive { search.look(into: object, path: name) }
    for (name, object) in roots.sorted(by: { $0.key < $1.key }) { search.look(into: object, path: name) }
    return alive.map { Survivor(name: $0.name, holders: search.paths[ObjectIdentifier($0.object)] ?? []) }
  }

  /// Throws if one of the watched objects is still in memory.
  public func expectNothingAlive(
    lookingIn roots: [String: AnyObject] = [:], file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let survivors = survivors(lookingIn: roots)
    guard !survivors.isEmpty else { return }
    throw TestFailure(
      "Still in memory: \(survivors.map(\.description).joined(separator: "; ")).", file: file, line: line)
  }
}

/// A walk through the stored properties below some objects, which finds the paths to others.
private struct HolderSearch {
  let targets: Set<ObjectIdentifier>
  var paths: [ObjectIdentifier: [String]] = [:]
  private var seen: Set<ObjectIdentifier> = []

  init(targets: [ObjectIdentifier]) { self.targets = Set(targets) }

  mutating func look(into object: AnyObject, path: String) {
    seen = [ObjectIdentifier(object)]
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror {
      for (place, child) in level.children.enumerated() { visit(child, place, path: path, depth: 0) }
      mirror = level.superclassMirror
    }
  }

  private mutating func visit(_ child: Mirror.Child, _ place: Int, path: String, depth: Int) {
    // Deep enough for a chain of operators; a cycle ends at an object that has been seen.
    guard depth < 24 else { return }
    // An optional adds no step of its own, and an element has a number for a name.
    let way = path + (child.label == "some" ? "" : child.label.map { "." + $0 } ?? "[\(place)]")
    let mirror = Mirror(reflecting: child.value)
    if mirror.displayStyle == .class || type(of: child.value) is AnyObject.Type {
      let object = child.value as AnyObject
      let identifier = ObjectIdentifier(object)
      // Whatever is below another target is found from that target.
      if targets.contains(identifier) { return paths[identifier, default: []].append(way) }
      guard seen.insert(identifier).inserted else { return }
    }
    var level: Mirror? = mirror
    while let current = level {
      for (place, inner) in current.children.enumerated() { visit(inner, place, path: way, depth: depth + 1) }
      level = current.superclassMirror
    }
  }
}
