// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules that every publisher of deliveries that have to be acknowledged keeps.
public enum DeliveryRule: String, CaseIterable, Sendable, CustomStringConvertible {
  case takesNothingUnasked = "Without demand nothing is taken"
  case takesWhatIsAsked = "As many are taken as are requested"
  case servesOneByOne = "One at a time, in the order of publication, with one unsettled"
  case servesEverything = "Unlimited demand gets everything, and nothing is left when all is acknowledged"
  case boundsWhatIsReadAhead = "No more is read ahead than a batch"
  case keepsTextsAndHeaders = "Any text, and the headers, come as they were published"
  case repeatsWhatExpires = "What is not settled comes again after its deadline, and what is acknowledged does not"
  case repeatsWhatIsGivenBack = "What is given back comes again at once, as the second attempt"
  case delaysWhatIsGivenBack = "What is given back with a delay comes again, and not before"
  case forgetsWhatIsTerminated = "What is terminated does not come again"
  case extendsDeadlines = "What is extended does not expire"
  case settlesOnce = "A delivery is settled once"
  case sharesWork = "Two subscribers share the work, and each value is delivered once"
  case givesBackOnCancel = "A cancel gives back at once what has been taken and not delivered"
  case servesWaiters = "Who waits gets what is published later"
  case acknowledgesWork = "acknowledged(after:) gives back what fails, and keeps nothing of what is done"
  case givesBackCancelledWork = "acknowledged(after:) gives back what a cancel cuts off"
  case setsPoisonAside = "deadLetter(after:to:) sets aside what fails again and again"
  case countsCredit = "The counts say what has been asked for, and what has happened to it"
  case finishesWhenDrained = "A drained engine finishes its streams, and lets their deliveries be settled"
  case confirmsWhatIsWritten = "A subscriber into the stream keeps its limit, and all that it publishes is confirmed"
  case keepsOncePerID = "What is published twice under one id is kept once"
  case outlastsOutages = "A stream continues after an outage that is shorter than its limit"
  case endsAfterOutages = "A stream fails with an outage that is longer than its limit"
  case servesTheGuide = "The pipeline of the guide has the same counts at its end, whatever the engine"
  case worksAtOnce = "acknowledged(maxTasks:) has no more unsettled than it works on"

  public var description: String { rawValue }

  /// Returns the deadline for the engine: short if the rule waits for it, and otherwise so long that nothing comes
  /// again because of it.
  public func deadline(short: Duration) -> Duration {
    switch self {
    case .repeatsWhatExpires, .forgetsWhatIsTerminated, .extendsDeadlines: short
    default: .seconds(3_600)
    }
  }

  /// How long an outage may last for the streams of the engine: the default, unless the rule waits for the end.
  public var failsAfter: Duration { self == .endsAfterOutages ? .milliseconds(500) : .seconds(60) }

  /// Whether the rule takes the server away, so that no other test may use it.
  public var needsOwnServer: Bool { self == .outlastsOutages || self == .endsAfterOutages }

  /// The ability without which the rule does not apply to an engine.
  private var ability: EngineAbility? {
    switch self {
    case .countsCredit, .servesTheGuide: .counts
    case .finishesWhenDrained: .drain
    case .confirmsWhatIsWritten, .keepsOncePerID: .write
    case .outlastsOutages, .endsAfterOutages: .outages
    default: nil
    }
  }

  /// Fails if an engine does not keep the rule.
  public func check(_ engine: some DeliveryEngine) async throws {
    if let ability, !engine.abilities.contains(ability) { return }
    switch self {
    case .takesNothingUnasked: try await engine.takesNothingUnasked()
    case .takesWhatIsAsked: try await engine.takesWhatIsAsked()
    case .servesOneByOne: try await engine.servesOneByOne()
    case .servesEverything: try await engine.servesEverything()
    case .boundsWhatIsReadAhead: try await engine.boundsWhatIsReadAhead()
    case .keepsTextsAndHeaders: try await engine.keepsTextsAndHeaders()
    case .repeatsWhatExpires: try await engine.repeatsWhatExpires()
    case .repeatsWhatIsGivenBack: try await engine.repeatsWhatIsGivenBack()
    case .delaysWhatIsGivenBack: try await engine.delaysWhatIsGivenBack()
    case .forgetsWhatIsTerminated: try await engine.forgetsWhatIsTerminated()
    case .extendsDeadlines: try await engine.extendsDeadlines()
    case .settlesOnce: try await engine.settlesOnce()
    case .sharesWork: try await engine.sharesWork()
    case .givesBackOnCancel: try await engine.givesBackOnCancel()
    case .servesWaiters: try await engine.servesWaiters()
    case .acknowledgesWork: try await engine.acknowledgesWork()
    case .givesBackCancelledWork: try await engine.givesBackCancelledWork()
    case .setsPoisonAside: try await engine.setsPoisonAside()
    case .countsCredit: try await engine.countsCredit()
    case .finishesWhenDrained: try await engine.finishesWhenDrained()
    case .confirmsWhatIsWritten: try await engine.confirmsWhatIsWritten()
    case .keepsOncePerID: try await engine.keepsOncePerID()
    case .outlastsOutages: try await engine.outlastsOutages()
    case .endsAfterOutages: try await engine.endsAfterOutages()
    case .servesTheGuide: try await engine.servesTheGuide()
    case .worksAtOnce: try await engine.worksAtOnce()
    }
  }
}
