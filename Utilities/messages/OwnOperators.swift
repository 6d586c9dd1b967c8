// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A client's own operators, with the names and arguments of declarations that Penstock has for the compiler's messages
// alone. The client's win, and no reference to a method becomes ambiguous. This has to compile without a word.

import Foundation
import Penstock

extension Publisher {
  func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  func flatMap<S: Sequence>(_ transform: @escaping (Output) -> S) -> AnyPublisher<S.Element, Failure> {
    flatMap { Publishers.Sequence<S, Failure>(sequence: transform($0)) }.eraseToAnyPublisher()
  }

  func combineLatest<P: Publisher>(_ other: P) -> AnyPublisher<(Output, P.Output), any Error>
  where Failure == NetworkError, P.Failure == ParseError {
    mapError { $0 as any Error }.combineLatest(other.mapError { $0 as any Error }).eraseToAnyPublisher()
  }
}

extension Publisher {
  func pairwise() -> AnyPublisher<(Output, Output), Failure> {
    zip(dropFirst()).eraseToAnyPublisher()
  }

  func map<T>(_ transform: @escaping @Sendable (Output) async throws -> T) -> AnyPublisher<Task<T, any Error>, Failure>
  where Output: Sendable, T: Sendable {
    map { value in Task { try await transform(value) } }.eraseToAnyPublisher()
  }

  func share() -> AnyPublisher<Output, Failure> {
    multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher()
  }
}

extension Publisher where Failure == Never {
  func assign(to output: inout Output) {}

  func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output?>, on object: Root) -> AnyCancellable {
    map(Optional.some).assign(to: keyPath, on: object)
  }
}

extension Scheduler where Self == DispatchQueue {
  static var main: DispatchQueue { DispatchQueue.main }
}

func failing() -> AnyCancellable { Shop.articles(matching: "").sink { print($0) } }

func elements(of arrays: PassthroughSubject<[Int], NetworkError>) -> AnyPublisher<Int, NetworkError> {
  arrays.flatMap { $0 }
}

func both() -> AnyPublisher<([Article], Article), any Error> {
  Shop.articles(matching: "").combineLatest(Shop.article(from: Data()))
}

func bind(_ names: PassthroughSubject<String, Never>, to label: Label) -> AnyCancellable {
  names.receive(on: .main).assign(to: \.text, on: label)
}

func references(_ numbers: PassthroughSubject<Int, Never>) -> [AnyPublisher<Int, Never>] {
  let erase = numbers.eraseToAnyPublisher
  let other = PassthroughSubject<Int, Never>.eraseToAnyPublisher
  return [erase(), other(numbers)()] + [numbers].map { $0.map { $0 + 1 }.eraseToAnyPublisher() }
}

func pairs(_ numbers: PassthroughSubject<Int, Never>) -> AnyPublisher<(Int, Int), Never> { numbers.pairwise() }

func tasks(_ numbers: PassthroughSubject<Int, Never>) -> AnyPublisher<Task<Int, any Error>, Never> {
  numbers.map { await twice($0) }
}

func twice(_ number: Int) async -> Int { 2 * number }

func shared(_ numbers: PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never> { numbers.share() }
