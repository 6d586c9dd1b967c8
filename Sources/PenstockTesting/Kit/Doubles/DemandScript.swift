// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A script of what a recording requests, and when: at the subscription, after a number of values, by either road,
/// until a cancel.
///
/// ```swift
/// let script = DemandScript.max(2).request(.max(3), after: 2).returning(.max(1), after: 5).cancel(after: 7)
/// let recording = (1...20).publisher.record(demand: script)
/// print(recording.values)
/// recording.cancel()
/// // Prints "[1, 2, 3, 4, 5, 6]"
/// ```
///
/// The script does not reach the cancel here: two, three and one are six.
public struct DemandScript: Sendable {
  enum Act: Sendable {
    case request(Subscribers.Demand)
    case returning(Subscribers.Demand)
    case cancel
  }

  let initial: Subscribers.Demand
  private var acts: [(after: Int, act: Act)] = []
  private var eachTime = Subscribers.Demand.none

  private init(initial: Subscribers.Demand) { self.initial = initial }

  /// Everything, at the subscription.
  public static let unlimited = DemandScript(initial: .unlimited)

  /// Nothing: the test requests values on its own.
  public static let none = DemandScript(initial: .none)

  /// A number of values, at the subscription.
  public static func max(_ count: Int) -> Self { Self(initial: .max(count)) }

  /// One value at a time: each one asks for the next by the demand that is returned for it.
  public static let oneByOne = DemandScript.max(1).returning(.max(1))

  /// Requests more during the delivery of a value; the first is number 1.
  public func request(_ demand: Subscribers.Demand, after value: Int) -> Self { adding(.request(demand), after: value) }

  /// Returns demand for a value; the first is number 1.
  public func returning(_ demand: Subscribers.Demand, after value: Int) -> Self {
    adding(.returning(demand), after: value)
  }

  /// Returns demand for each value.
  public func returning(_ demand: Subscribers.Demand) -> Self {
    var script = self
    script.eachTime += demand
    return script
  }

  /// Cancels during the delivery of a value; the first is number 1.
  public func cancel(after value: Int) -> Self { adding(.cancel, after: value) }

  private func adding(_ act: Act, after value: Int) -> Self {
    var script = self
    script.acts.append((value, act))
    return script
  }

  /// Does what the script says for a value.
  ///
  /// - Returns: The demand to return.
  func act(
    after value: Int, request: (Subscribers.Demand) -> Void, cancel: () -> Void
  ) -> Subscribers.Demand {
    var demand = eachTime
    for (place, act) in acts where place == value {
      switch act {
      case .request(let more): request(more)
      case .returning(let more): demand += more
      case .cancel: cancel()
      }
    }
    return demand
  }
}
