// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Inspector {
  /// A page about the running streams, as any HTTP server can serve it: a request in, a response out.
  ///
  /// ```swift
  /// let pipelines = Inspector.Endpoint(at: "/pipelines")
  /// let response = await pipelines.respond(to: .init("GET", "/pipelines.json") { $0 == "host" ? "localhost:8080" : nil })
  /// print(response.status, response.headers[0])
  /// // Prints "200 (name: "Content-Type", value: "application/json")"
  /// ```
  ///
  /// It answers five requests, and every other with a status of 400 to 421 and a sentence:
  ///
  /// | request | answer |
  /// |---|---|
  /// | `GET /pipelines` | the page, which asks for the next one every two seconds |
  /// | `GET /pipelines.json` | the streams by shape, as below; with `?find=TEXT`, those with the text in a name |
  /// | `GET /pipelines.json?link=NUMBER` | the latest signals of a link, and a marble test of them |
  /// | `GET /pipelines.txt` | the same as trees of text, for a terminal; with `?find=TEXT`, too |
  /// | `POST /pipelines/counting` | begins to count, in links that are made from then on; see ``Inspector/startCounting(_:)`` |
  ///
  /// **What it lets nobody do.** A page of another site cannot read it, whatever name it resolves to this machine: a
  /// request whose `Host` is not on the list gets no streams. It cannot be framed, runs no script but its own, loads
  /// nothing, and accepts a `POST` from itself alone. Off the loopback interface it asks for the token: as a password of
  /// HTTP's basic authentication, for which a browser asks, or as `Authorization: Bearer TOKEN`. Use TLS there: a token
  /// is legible to whoever can listen.
  ///
  /// **What it shows.** Streams that differ in numbers only are one shape: the oldest is shown with the number of the others,
  /// and `&open=SHAPE` lists a hundred of them. Shapes that are held up come first, at most ``Options/limit`` of them. Without
  /// `&all` an answer ends at 48 kilobytes.
  ///
  /// It shows names of types, labels with file and line, and numbers. The signals of a link are shown with a letter for each
  /// value, unless ``Options/showsValues`` permits the texts that the program itself has made with
  /// ``PenstockCore/Publisher/inspected(_:file:line:describing:)``. Once somebody has asked for them, they are kept for a
  /// minute, so that one also sees how the link ends.
  ///
  /// **What it costs.** One look for all who ask within half a second, and one answer for all who ask the same. A link holds its stream up only if nothing has changed
  /// in the stream for ``Options/patience``, over all looks so far: so a healthy step that takes a second is not
  /// blamed.
  ///
  /// **Concurrency:** may be called on any thread, any number of times at once.
  public struct Endpoint: Sendable {
    /// What an ``Inspector/Endpoint`` permits and shows.
    public struct Options: Sendable {
      /// The names by which the endpoint may be asked, without port; `localhost`, `127.0.0.1` and `[::1]` may always,
      /// and `*` stands for all.
      public var hosts: Set<String> = []
      /// The password; without it the endpoint answers only under the names of this machine.
      ///
      /// A `Host` is what a client says it is: it keeps the pages of other sites out, and nobody who writes requests by
      /// hand. A server that listens beyond this machine needs the token.
      public var token: String?
      /// The greatest number of shapes of streams in one answer.
      public var limit = 200
      /// Whether the signals of a link are shown with the texts of their values, where the program makes some.
      ///
      /// The texts are those that a closure of ``PenstockCore/Publisher/inspected(_:file:line:describing:)`` returns; there
      /// are no others. Otherwise a letter stands for each value, and equal values get different letters.
      public var showsValues = false
      /// How long nothing may change in a stream before a link is said to hold it up.
      public var patience = Duration.seconds(3)

      /// Creates the options of an endpoint that is asked on the same machine.
      public init() {}
    }

    /// A request, as far as the endpoint reads it.
    public struct Request: Sendable {
      /// `GET` or another method.
      public let method: String
      /// The target as it stands in the request: the path, and the query behind a question mark.
      public let target: String
      internal let headers: [String: String]

      /// Creates a request.
      ///
      /// - Parameters:
      ///   - method: The method.
      ///   - target: The path with the query.
      ///   - header: Returns the value of a header, whose name is given in lower case; `nil` if the request has none.
      public init(_ method: String, _ target: String, header: (String) -> String?) {
        (self.method, self.target) = (method, target)
        headers = Dictionary(uniqueKeysWithValues: Self.read.compactMap { name in header(name).map { (name, $0) } })
      }

      private static let read = ["host", "authorization", "sec-fetch-site", "x-penstock-inspector"]
    }

    /// A response.
    public struct Response: Sendable {
      /// The status of HTTP.
      public let status: Int
      /// The headers, `Content-Type` first.
      public let headers: [(name: String, value: String)]
      /// The body, in UTF-8.
      public let body: String
    }

    /// The path of the page.
    public let path: String
    private let options: Options
    private let looks: LookCache

    /// Creates an endpoint.
    ///
    /// **Traps:** a path that does not begin with a slash, a limit below one, or ``Options/hosts`` without
    /// ``Options/token``: whoever knows such a name could read the streams.
    ///
    /// - Parameters:
    ///   - path: The path of the page; that of the streams has `.json` behind it.
    ///   - options: What it permits and shows.
    public init(at path: String = "/pipelines", _ options: Options = Options()) {
      self.init(at: path, options) { .now }
    }

    /// The same with a clock of the caller's, for tests.
    package init(at path: String, _ options: Options, now: @escaping @Sendable () -> ContinuousClock.Instant) {
      let name = "Inspector.Endpoint"
      require(path.hasPrefix("/"), of: name, rule: "a path that begins with /", given: path)
      require(options.limit >= 1, of: name, rule: "a limit of 1 or more", given: options.limit)
      require(
        options.hosts.isEmpty || !(options.token ?? "").isEmpty, of: name,
        rule: "a token, since hosts name more than this machine", given: options.hosts.sorted())
      (self.path, self.options) = (path, options)
      looks = LookCache(patience: options.patience, now: now)
    }

    /// Answers a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    public func respond(to request: Request) async -> Response {
      let parts = request.target.split(separator: "?", maxSplits: 1)
      let asked = parts.first.map(String.init) ?? ""
      if let refusal = refusal(of: request, isPage: asked == path) { return refusal }
      switch (request.method, asked) {
      case ("GET", path), ("HEAD", path): return page()
      case ("GET", path + ".json"), ("HEAD", path + ".json"):
        return await streams(parts.count == 2 ? parts[1] : "")
      case ("GET", path + ".txt"), ("HEAD", path + ".txt"):
        let find = parts.count == 2 ? Self.parameter("find", in: parts[1]) : nil
        return Response(
          200, "text/plain; charset=utf-8",
          await looks.answer(.init(limit: options.limit, find: find, isText: true)))
      case ("POST", path + "/counting"):
        guard request.headers["x-penstock-inspector"] != nil else {
          return .refusal(403, "A POST has to come from the page, which sends the header X-Penstock-Inspector.")
        }
        Inspector.startCounting()
        return Response(200, "text/plain; charset=utf-8", "Links that are made from now on count.\n")
      case (_, path), (_, path + ".json"), (_, path + ".txt"):
        return .refusal(405, "The streams are read by GET.", more: [("Allow", "GET, HEAD")])
      case (_, path + "/counting"): return .refusal(405, "Counting begins by POST.", more: [("Allow", "POST")])
      default: return .refusal(404, "There are \(path), \(path).json and \(path).txt.")
      }
    }

    // MARK: Who may ask

    private func refusal(of request: Request, isPage: Bool) -> Response? {
      guard let host = request.headers["host"].map(Self.name) else {
        return .refusal(400, "A request has a Host.")
      }
      let isLocal = Self.loopback.contains(host)
      guard isLocal || options.hosts.contains(host) || options.hosts.contains("*") else {
        return .refusal(421, "This is not served under that name. Inspector.Endpoint.Options.hosts lists the names.")
      }
      // A browser says where a request comes from. A link may lead to the page, which has no streams in it.
      if !isPage, let site = request.headers["sec-fetch-site"], site == "cross-site" || site == "same-site" {
        return .refusal(403, "Pages of other sites may not ask.")
      }
      guard let token = options.token, !Self.isToken(request.headers["authorization"], token) else { return nil }
      return .refusal(
        401, "The password is the endpoint's token; the name does not matter.",
        more: [("WWW-Authenticate", "Basic realm=\"Pipelines\", charset=\"UTF-8\"")])
    }

    private static let loopback: Set = ["localhost", "127.0.0.1", "[::1]"]

    /// The name in a `Host`, without its port and in lower case.
    private static func name(_ host: String) -> String {
      let end = host.hasPrefix("[") ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
      return host[..<(end ?? host.endIndex)].lowercased()
    }

    private static func isToken(_ authorization: String?, _ token: String) -> Bool {
      guard let parts = authorization?.split(separator: " ", maxSplits: 1), parts.count == 2 else { return false }
      switch parts[0].lowercased() {
      case "bearer": return isSame(Array(parts[1].utf8), Array(token.utf8))
      case "basic":
        guard let pair = decodedBase64(parts[1]), let colon = pair.firstIndex(of: UInt8(ascii: ":")) else {
          return false
        }
        return isSame(Array(pair[(colon + 1)...]), Array(token.utf8))
      default: return false
      }
    }

    /// Compares in a time that does not depend on where the difference is.
    private static func isSame(_ given: [UInt8], _ token: [UInt8]) -> Bool {
      var difference = given.count ^ token.count
      for (place, byte) in token.enumerated() { difference |= Int((place < given.count ? given[place] : 0) ^ byte) }
      return difference == 0
    }

    /// RFC 4648, section 4.
    private static func decodedBase64(_ text: some StringProtocol) -> [UInt8]? {
      var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
      for character in text.utf8 where character != UInt8(ascii: "=") {
        guard let digit = base64.firstIndex(of: character) else { return nil }
        (bits, count) = (bits << 6 | UInt32(digit), count + 6)
        if count >= 8 {
          count -= 8
          bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
      }
      return bytes
    }

    private static let base64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    // MARK: Answers

    private func page() -> Response {
      let nonce = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
      let policy =
        "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      return Response(
        200, "text/html; charset=utf-8", Inspector.page(asking: path + ".json", counting: path + "/counting", nonce),
        more: [("Content-Security-Policy", policy)])
    }

    /// Answers with the streams, or with the signals of one link.
    private func streams(_ query: some StringProtocol) async -> Response {
      if let link = Self.parameter("link", in: query) {
        guard let number = UInt64(link), let signals = await looks.signals(of: number) else {
          return .refusal(404, "No link of that number is alive.")
        }
        return Response(200, "application/json", signals.json(showsValues: options.showsValues))
      }
      let open = Self.parameter("open", in: query)?.split(separator: ",").prefix(8).compactMap { UInt($0, radix: 16) }
      return Response(
        200, "application/json",
        await looks.answer(
          .init(
            limit: options.limit, find: Self.parameter("find", in: query), open: Set(open ?? []),
            isWhole: Self.parameter("all", in: query) != nil)))
    }

    /// Returns the signals of a link with their texts, for tests.
    package func recording(of link: UInt64) async -> Inspector.Recording? { await looks.signals(of: link)?.recording }

    /// A parameter of a query, with its escapes resolved (RFC 3986, section 2.1).
    private static func parameter(_ name: String, in query: some StringProtocol) -> String? {
      guard let pair = query.split(separator: "&").first(where: { $0 == name || $0.hasPrefix("\(name)=") }) else {
        return nil
      }
      var bytes: [UInt8] = []
      var rest = pair.dropFirst(name.count + 1).utf8[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
          bytes.append(code)
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension Inspector.Endpoint.Response {
  fileprivate init(_ status: Int, _ type: String, _ body: String, more: [(String, String)] = []) {
    let always = [
      ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
    self.init(status: status, headers: (always + more).map { (name: $0.0, value: $0.1) }, body: body)
  }

  fileprivate static func refusal(_ status: Int, _ sentence: String, more: [(String, String)] = []) -> Self {
    Self(status, "text/plain; charset=utf-8", sentence + "\n", more: more)
  }
}
