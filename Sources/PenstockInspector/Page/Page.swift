// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Inspector {
  /// Returns a page that shows the streams, in one file without external resources, for any HTTP server.
  ///
  /// The page asks for ``Snapshot/json`` about once a second, and draws each stream from its sources on the left to its
  /// end on the right; streams that differ in numbers only are drawn once. Serve both only to people who may see what runs
  /// in the process: they contain names of types and labels, though no values.
  ///
  /// ```swift
  /// let page = Inspector.page(asking: "/pipelines.json")
  /// print(page.hasPrefix("<!DOCTYPE html>"))
  /// // Prints "true"
  /// ```
  ///
  /// - Parameter address: The address at which the server answers with a snapshot, as `application/json`.
  /// - Returns: The page, as `text/html`, in UTF-8.
  public static func page(asking address: String) -> String { page(asking: address, counting: nil, "") }

  /// The same page for an ``Endpoint``.
  ///
  /// - Parameters:
  ///   - address: The address of the streams.
  ///   - counting: The address at which counting begins; `nil` without a button for it.
  ///   - nonce: The text by which the response's policy knows the page's own script and style.
  internal static func page(asking address: String, counting: String?, _ nonce: String) -> String {
    let addresses = JSON.list([.text(address), counting.map { .text($0) } ?? .literal("null")]).text
    let mark = nonce.isEmpty ? "" : " nonce=\"\(nonce)\""
    return [
      pageHead, "<style\(mark)>\n", pageStyle, pageBody, "<script\(mark)>\nconst [address, counting] = ", addresses,
      ";\n", pageDrawing, pageScript, "</script>\n</body>\n</html>\n",
    ].joined()
  }
}

/// The page up to its style.
private let pageHead =
  #"""
  <!DOCTYPE html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Pipelines</title>

  """#

/// The page from its style to its script.
private let pageBody =
  #"""
  </style>
  </head>
  <body>
  <header><h1>Pipelines</h1><p id="sum" role="status">…</p>
  <button id="count" type="button" title="in links that are made from now on" hidden>Count values</button>
  <label>Show <input id="find" type="search" placeholder="name, #number, “held up”" autocomplete="off"></label></header>
  <main id="list"></main>

  """#
