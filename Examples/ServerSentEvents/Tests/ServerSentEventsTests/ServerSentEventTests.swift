// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import NIOCore
import Testing

@testable import ServerSentEvents

@Suite("A server-sent event")
struct ServerSentEventTests {
  @Test(
    arguments: [
      ("", "event: e\ndata: \n\n"),
      ("a", "event: e\ndata: a\n\n"),
      ("a\nb", "event: e\ndata: a\ndata: b\n\n"),
      ("a\r\nb\rc\n", "event: e\ndata: a\ndata: b\ndata: c\ndata: \n\n"),
      (" a: b", "event: e\ndata:  a: b\n\n"),
    ])
  func `has a field for each line of its text`(text: String, expected: String) {
    #expect(String(buffer: ServerSentEvent("e", data: text).frame) == expected)
  }

  @Test func `can be a comment`() {
    #expect(String(buffer: ServerSentEvent(comment: "still here").frame) == ": still here\n\n")
  }

  @Test func `cannot have a name of two lines`() async {
    await #expect(processExitsWith: .failure) { _ = ServerSentEvent("a\ndata: forged", data: "") }
  }
}
