// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A special property of a publisher, so that rules that do not concern it do not apply.
public enum PublisherTrait: Hashable, Sendable {
  /// Its values come whether they are requested or not, and those that are not requested are lost: a timer, a subject.
  case hot
  /// All subscribers share one run of the source.
  case shared
  /// The subscription belongs to another publisher, which decides what it does.
  case forwards
  /// It delivers no values, by its documentation: rules about values do not apply.
  case deliversNothing
  /// It never ends, by its documentation: rules about what comes after an end do not apply.
  case endless
  /// Its values depend in some way on when they are requested, by its documentation.
  case variesWithDemand(DemandVariation)
}
