// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What is special of an operator, so that rules that have nothing to say about it do not apply.
public enum OperatorTrait: Hashable, Sendable {
  /// It asks upstream for so many values more than downstream has asked for.
  case prefetches(Int)
  /// It takes so many values for one that it delivers.
  case consumes(Int)
  /// It asks upstream for everything, by its documentation.
  case requestsEverything
  /// It drops what downstream has not asked for, by its documentation.
  case dropsUnrequested
  /// It only looks: it changes neither events nor demand.
  case transparent
  /// It answers a failure by something else, such as another attempt.
  case catchesFailure
  /// It subscribes to so many upstreams at a time.
  case upstreams(Int)
  /// All subscribers share one run.
  case shared
  /// It stays with its upstream when the last subscriber goes, by its documentation.
  case staysConnected
  /// It delivers no values, by its documentation: rules about values do not apply.
  case deliversNothing
  /// Something of its values depends on when they are requested, by its documentation.
  case variesWithDemand(DemandVariation)
}
