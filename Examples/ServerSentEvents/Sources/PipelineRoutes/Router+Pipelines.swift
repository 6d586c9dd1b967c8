// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import HTTPTypes
public import Hummingbird
import NIOCore
public import PenstockInspector

extension Router {
  /// Adds a window into the pipelines of the process; see `Inspector.Endpoint`.
  public func add(_ endpoint: Inspector.Endpoint) {
    @Sendable func respond(to request: Request, _: Context) async -> Response {
      let answer = await endpoint.respond(
        to: .init(request.method.rawValue, request.uri.string) { name in
          name == "host" ? request.head.authority : HTTPField.Name(name).flatMap { request.headers[$0] }
        })
      var headers = HTTPFields()
      for (name, value) in answer.headers { headers[HTTPField.Name(name)!] = value }
      return Response(
        status: .init(code: answer.status), headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }
    get(RouterPath(endpoint.path), use: respond)
    get(RouterPath(endpoint.path + ".json"), use: respond)
    get(RouterPath(endpoint.path + ".txt"), use: respond)
    post(RouterPath(endpoint.path + "/counting"), use: respond)
  }
}
