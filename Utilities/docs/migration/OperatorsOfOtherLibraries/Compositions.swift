// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

/// The names that the compositions on the page are written with.
protocol Compositions {}

extension Compositions {
  // MARK: Publishers

  static var publisher: AnyPublisher<Int, Never> { [1, 2, 3].publisher.eraseToAnyPublisher() }
  static var other: AnyPublisher<Int, Never> { [4, 5].publisher.eraseToAnyPublisher() }
  static var publishers: [AnyPublisher<Int, Never>] { [publisher, other] }
  static var nested: AnyPublisher<AnyPublisher<Int, Never>, Never> { publishers.publisher.eraseToAnyPublisher() }
  static var flags: [AnyPublisher<Bool, Never>] { [true, false].map { Just($0).eraseToAnyPublisher() } }
  static var words: AnyPublisher<String, Never> { ["gate", "pipe", "turbine"].publisher.eraseToAnyPublisher() }

  static var failing: AnyPublisher<Int, Trouble> {
    Just(1).setFailureType(to: Trouble.self).append(Fail(error: .offline)).eraseToAnyPublisher()
  }

  static var silent: AnyPublisher<Int, Trouble> { Empty(completeImmediately: false).eraseToAnyPublisher() }

  // MARK: Functions

  static func isWanted(_ number: Int) -> Bool { number != 2 }
  static func isReady(_ number: Int) -> Just<Bool> { Just(number != 2) }
  static func key(_ number: Int) -> Int { number % 2 }
  static func parts(of number: Int) -> [Int] { [number, -number] }
  static func doubled(_ upstream: AnyPublisher<Int, Never>) -> some Publisher<Int, Never> { upstream.map { 2 * $0 } }
  static func start(_ number: Int) -> AnyPublisher<Int, Never> { Just(10 * number).eraseToAnyPublisher() }

  static func load(_ number: Int) -> AnyPublisher<Int, Trouble> {
    isWanted(number)
      ? start(number).setFailureType(to: Trouble.self).eraseToAnyPublisher()
      : Fail(error: .denied).eraseToAnyPublisher()
  }

  static func check(_ number: Int) throws -> Int {
    if number > 2 { throw Trouble.denied }
    return number
  }

  static func answer(to number: Int) async -> Int { 10 * number }
  static func make() -> Int { 7 }
  static func tryMake() throws -> Int { 7 }
  static func run() {}
  static func isDone() -> Bool { true }
  static var reader: Reader { .shared }
}

extension Trouble: CustomDebugStringConvertible {
  /// Without the module, which a result shows otherwise.
  var debugDescription: String { self == .offline ? "offline" : "denied" }
}

/// An object that subscribers refer to.
final class Reader: Sendable {
  static let shared = Reader()
  func read(_ number: Int) {}
}
