// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What is special of a publisher, so that rules that have nothing to say about it do not apply.
public enum PublisherTrait: Hashable, Sendable {
  /// Values come whether they are requested or not, and what is not requested is gone: a timer, a subject.
  case hot
  /// All subscribers share one run of the source.
  case shared
  /// The subscription belongs to another publisher, which decides what it does.
  case forwards
  /// It delivers no values, by its documentation: rules about values do not apply.
  case deliversNothing
  /// It never ends, by its documentation: rules about what comes behind an end do not apply.
  case endless
  /// Something of its values depends on when they are requested, by its documentation.
  case variesWithDemand(DemandVariation)
}
