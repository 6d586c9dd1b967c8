// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The check of each rule, by the identifier of the rule.
enum DeliveryCheck: String {
  case takesNothingUnasked = "D-01"
  case takesWhatIsAsked = "D-02"
  case servesOneByOne = "D-03"
  case servesEverything = "D-04"
  case boundsWhatIsReadAhead = "D-05"
  case servesWaiters = "D-06"
  case keepsTextsAndHeaders = "D-07"
  case repeatsWhatExpires = "D-08"
  case extendsDeadlines = "D-09"
  case repeatsWhatIsGivenBack = "D-10"
  case delaysWhatIsGivenBack = "D-11"
  case forgetsWhatIsTerminated = "D-12"
  case settlesOnce = "D-13"
  case sharesWork = "D-14"
  case givesBackOnCancel = "D-15"
  case acknowledgesWork = "D-16"
  case givesBackCancelledWork = "D-17"
  case setsPoisonAside = "D-18"
  case worksAtOnce = "D-19"
  case countsCredit = "D-20"
  case servesTheGuide = "D-21"
  case finishesWhenDrained = "D-22"
  case confirmsWhatIsWritten = "D-23"
  case keepsOncePerID = "D-24"
  case outlastsOutages = "D-25"
  case endsAfterOutages = "D-26"

  /// Whether it waits for a deadline to pass; for any other one the deadline is so long that nothing comes again
  /// because of it.
  var waitsForDeadline: Bool { [.repeatsWhatExpires, .extendsDeadlines, .forgetsWhatIsTerminated].contains(self) }

  /// How long an outage may last for the streams of the engine: long, unless the check waits for their end.
  var outageLimit: Duration { self == .endsAfterOutages ? .milliseconds(500) : .seconds(60) }

  /// The capability without which it does not apply to an engine.
  var capability: DeliveryCapabilities {
    switch self {
    case .countsCredit, .servesTheGuide: .creditCounts
    case .finishesWhenDrained: .draining
    case .confirmsWhatIsWritten, .keepsOncePerID: .streamSubscriber
    case .outlastsOutages, .endsAfterOutages: .outages
    default: []
    }
  }

  /// Throws if an engine does not keep the rule.
  func run(_ engine: some DeliveryEngine) async throws {
    switch self {
    case .takesNothingUnasked: try await engine.takesNothingUnasked()
    case .takesWhatIsAsked: try await engine.takesWhatIsAsked()
    case .servesOneByOne: try await engine.servesOneByOne()
    case .servesEverything: try await engine.servesEverything()
    case .boundsWhatIsReadAhead: try await engine.boundsWhatIsReadAhead()
    case .servesWaiters: try await engine.servesWaiters()
    case .keepsTextsAndHeaders: try await engine.keepsTextsAndHeaders()
    case .repeatsWhatExpires: try await engine.repeatsWhatExpires()
    case .extendsDeadlines: try await engine.extendsDeadlines()
    case .repeatsWhatIsGivenBack: try await engine.repeatsWhatIsGivenBack()
    case .delaysWhatIsGivenBack: try await engine.delaysWhatIsGivenBack()
    case .forgetsWhatIsTerminated: try await engine.forgetsWhatIsTerminated()
    case .settlesOnce: try await engine.settlesOnce()
    case .sharesWork: try await engine.sharesWork()
    case .givesBackOnCancel: try await engine.givesBackOnCancel()
    case .acknowledgesWork: try await engine.acknowledgesWork()
    case .givesBackCancelledWork: try await engine.givesBackCancelledWork()
    case .setsPoisonAside: try await engine.setsPoisonAside()
    case .worksAtOnce: try await engine.worksAtOnce()
    case .countsCredit: try await engine.countsCredit()
    case .servesTheGuide: try await engine.servesTheGuide()
    case .finishesWhenDrained: try await engine.finishesWhenDrained()
    case .confirmsWhatIsWritten: try await engine.confirmsWhatIsWritten()
    case .keepsOncePerID: try await engine.keepsOncePerID()
    case .outlastsOutages: try await engine.outlastsOutages()
    case .endsAfterOutages: try await engine.endsAfterOutages()
    }
  }
}
