// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import Testing

private struct CodableError: Error, Codable, Hashable {
  var code: Int
}

@Suite struct CompletionTests {
  private typealias Completion = Subscribers.Completion<CodableError>

  private func encode(_ completion: Completion) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(completion))
    return try #require(object as? [String: Any])
  }

  private func decode(_ text: String) throws -> Completion {
    try JSONDecoder().decode(Completion.self, from: Data(text.utf8))
  }

  @Test func `Completions are equal when their errors are`() {
    #expect(Completion.finished == .finished)
    #expect(Completion.failure(.init(code: 1)) == .failure(.init(code: 1)))
    #expect(Completion.failure(.init(code: 1)) != .failure(.init(code: 2)))
    #expect(Completion.failure(.init(code: 1)) != .finished)
    #expect(Set([Completion.finished, .finished, .failure(.init(code: 1))]).count == 2)
  }

  @Test func `A finish is written without an error`() throws {
    let object = try encode(.finished)
    #expect(object.keys.sorted() == ["success"])
    #expect(object["success"] as? Bool == true)
  }

  @Test func `A failure is written with its error`() throws {
    let object = try encode(.failure(.init(code: 7)))
    #expect(object.keys.sorted() == ["error", "success"])
    #expect(object["success"] as? Bool == false)
    #expect((object["error"] as? [String: Any])?["code"] as? Int == 7)
  }

  @Test func `Reading ignores an error beside success, and misses it beside failure`() throws {
    #expect(try decode(#"{"success": true, "error": {"code": 3}}"#) == .finished)
    #expect(try decode(#"{"success": false, "error": {"code": 3}}"#) == .failure(.init(code: 3)))
    #expect {
      try decode(#"{"success": false}"#)
    } throws: { error in
      guard case DecodingError.keyNotFound(let key, _) = error else { return false }
      return key.stringValue == "error"
    }
  }
}
