// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import Testing

/// A future's promise may be passed to any task or thread, and to any function that accepted one in Combine.
@Suite struct PromiseTests {
  /// Not Sendable.
  private final class Request {
    var answer: Future<Int, Never>.Promise?
  }

  @Test func `A task calls the promise`() async {
    let future = Future<Int, Never> { promise in Task { promise(.success(1)) } }
    #expect(await future.value == 1)
  }

  @Test func `A queue calls the promise`() async {
    let future = Future<Int, Never> { promise in DispatchQueue.global().async { promise(.success(2)) } }
    #expect(await future.value == 2)
  }

  @Test func `A method of an actor calls the promise`() async {
    actor Work {
      func start(_ promise: @Sendable (Result<Int, Never>) -> Void) { promise(.success(3)) }
    }
    let work = Work()
    let future = Future<Int, Never> { promise in Task { await work.start(promise) } }
    #expect(await future.value == 3)
  }

  @Test func `The promise is kept where Combine's alias says`() async {
    let request = Request()
    let future = Future<Int, Never> { promise in request.answer = promise }
    request.answer?(.success(4))
    #expect(await future.value == 4)
  }

  @Test func `A function that takes Combine's alias is the work`() async {
    func work(_ promise: @escaping Future<Int, Never>.Promise) { promise(.success(5)) }
    #expect(await Future(work).value == 5)
  }

  @Test func `The work is a variable of the type that Combine has`() async {
    let work: (@escaping Future<Int, Never>.Promise) -> Void = { $0(.success(6)) }
    #expect(await Future(work).value == 6)
  }

  @Test func `The promise is handed to a sink, and to a function that asks for a completion handler`() async {
    func ask(_ completion: @escaping (Result<Int, Never>) -> Void) { completion(.success(7)) }
    #expect(await Future { ask($0) }.value == 7)
    let future = Future<Int, Never> { promise in _ = Just(8).map { .success($0) }.sink(receiveValue: promise) }
    #expect(await future.value == 8)
  }

  @Test func `A result that is not Sendable gets through`() {
    let request = Request()
    var received: Request?
    let cancellable = Future<Request, Never> { $0(.success(request)) }.sink { received = $0 }
    #expect(received === request)
    cancellable.cancel()
  }
}
