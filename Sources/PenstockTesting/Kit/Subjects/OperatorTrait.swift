// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A special property of an operator, so that rules that do not concern it do not apply.
public enum OperatorTrait: Hashable, Sendable {
  /// It asks upstream for that many values more than downstream has asked for.
  case prefetches(Int)
  /// It takes that many values for each one that it delivers.
  case consumes(Int)
  /// It asks upstream for everything, by its documentation.
  case requestsEverything
  /// It drops what downstream has not asked for, by its documentation.
  case dropsUnrequested
  /// It only looks: it changes neither events nor demand.
  case transparent
  /// It answers a failure with something else, such as another attempt.
  case catchesFailure
  /// It subscribes to that many upstreams at a time.
  case upstreams(Int)
  /// All subscribers share one run.
  case shared
  /// It stays with its upstream when the last subscriber goes, by its documentation.
  case staysConnected
  /// It delivers no values, by its documentation: rules about values do not apply.
  case deliversNothing
  /// Its values depend in some way on when they are requested, by its documentation.
  case variesWithDemand(DemandVariation)
}
