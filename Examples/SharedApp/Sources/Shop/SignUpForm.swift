// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Foundation

/// Form validation: the user's input, and the form's messages about it.
public final class SignUpForm: ObservableObject {
  public enum Problem: String, CaseIterable {
    case nameTooShort = "The name needs at least 3 characters"
    case nameTaken = "The name is taken"
    case addressInvalid = "That is no e-mail address"
    case passwordTooShort = "The password needs at least 8 characters"
    case passwordsDiffer = "The passwords differ"
  }

  @Published public var name = ""
  @Published public var address = ""
  @Published public var password = ""
  @Published public var repeatedPassword = ""

  @Published public private(set) var problems: [Problem] = []
  @Published public private(set) var canSubmit = false

  /// - Parameters:
  ///   - isAvailable: Asks the server whether a name is free.
  ///   - scheduler: The scheduler on which names are looked up after typing has paused.
  public init<S: Scheduler>(
    isAvailable: @escaping (String) -> AnyPublisher<Bool, Never>, pause: S.SchedulerTimeType.Stride, scheduler: S
  ) {
    let lengthProblem =
      $name
      .map { $0.count < 3 ? Problem.nameTooShort : nil }
      .removeDuplicates()

    let availability =
      $name
      .debounce(for: pause, scheduler: scheduler)
      .removeDuplicates()
      .filter { $0.count >= 3 }
      .map { name in isAvailable(name).map { $0 ? nil : Problem.nameTaken } }
      .switchToLatest()
      .prepend(nil)

    let addressProblem = $address.map { text -> Problem? in
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } ? nil : .addressInvalid
    }

    let passwordProblem = $password.combineLatest($repeatedPassword) { password, repeated -> Problem? in
      if password.count < 8 { return .passwordTooShort }
      return password == repeated ? nil : .passwordsDiffer
    }

    let all = Publishers.CombineLatest4(lengthProblem, availability, addressProblem, passwordProblem)
      .map { [$0, $1, $2, $3].compactMap { $0 } }
      .removeDuplicates()
      .share()

    all.assign(to: &$problems)
    all.map(\.isEmpty).assign(to: &$canSubmit)
  }
}
