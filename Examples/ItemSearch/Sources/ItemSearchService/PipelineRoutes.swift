// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Hummingbird
import NIOCore
import PenstockInspector

extension Router {
  /// Adds a window into the pipelines of the process: `GET /pipelines`, and `GET /pipelines.json`, which the page asks for.
  ///
  /// A real service would show it only to its operators: it has names of types and the state of all visitors' streams,
  /// though no values.
  func addPipelines() {
    get("pipelines") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: Inspector.page(asking: "/pipelines.json"))))
    }
    get("pipelines.json") { _, _ in
      // Less than a page waits, and longer than a query takes.
      let snapshot = await Inspector.snapshot(watching: .milliseconds(400))
      return Response(
        status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: snapshot.json)))
    }
  }
}
