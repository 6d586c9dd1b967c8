// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Hummingbird

/// The files of the page, as they are in the package.
struct Page {
  private let files: [String: (type: String, bytes: ByteBuffer)]

  init() throws {
    var files: [String: (type: String, bytes: ByteBuffer)] = [:]
    for (name, type) in [
      ("index.html", "text/html"), ("page.css", "text/css"), ("page.js", "text/javascript"),
      ("ghost.js", "text/javascript"), ("strip.js", "text/javascript"), ("icon.svg", "image/svg+xml"),
    ] {
      guard let folder = Bundle.module.url(forResource: "Page", withExtension: nil) else {
        throw CocoaError(.fileNoSuchFile)
      }
      files[name] = (type + "; charset=utf-8", ByteBuffer(bytes: try Data(contentsOf: folder.appending(path: name))))
    }
    self.files = files
  }

  func response(_ name: String) throws -> Response {
    guard let file = files[name] else { throw HTTPError(.notFound) }
    return Response(
      status: .ok,
      headers: [
        .contentType: file.type, .cacheControl: "no-cache", .contentSecurityPolicy: "default-src 'self'",
        .xContentTypeOptions: "nosniff",
      ],
      body: ResponseBody(byteBuffer: file.bytes))
  }
}
