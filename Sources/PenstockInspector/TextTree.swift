// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Inspector.Snapshot: CustomStringConvertible {
  /// The streams as trees of text, each from its end to its sources.
  ///
  /// A link that holds its stream up is marked, and the stream's first line says why.
  public var description: String { "\(summary)\n" + streams.map { "\n\($0)" }.joined() }

  /// The numbers of all streams, in one line.
  internal var summary: String {
    let count = streams.count == 1 ? "1 stream" : "\(streams.count) streams"
    let held = heldUp.isEmpty ? "" : ", \(heldUp.count) held up"
    return "\(count), \(liveLinks) live links\(held)"
  }
}

extension Inspector.Stream: CustomStringConvertible {
  /// The stream as a tree of text, from its end to its sources.
  public var description: String {
    var lines = ["#\(id) \(title)"]
    if let culprit {
      let time = unchanged.map { $0 == .zero ? "" : " for \($0.text)" } ?? ""
      lines[0] += ": held up\(time): \(culprit.explanation)"
    }
    append(end, "  ", "  ", to: &lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private func append(
    _ link: Inspector.Link, _ first: String, _ next: String, role: String? = nil, to lines: inout [String]
  ) {
    let mark = culprit?.link == link.id ? "  ◀ holds the stream up" : ""
    lines.append(first + (role.map { "\($0): " } ?? "") + link.line + mark)
    for (index, upstream) in link.upstreams.enumerated() {
      let isLast = index == link.upstreams.count - 1
      append(
        upstream.link, next + (isLast ? "╰ " : "├ "), next + (isLast ? "  " : "│ "), role: upstream.role, to: &lines)
    }
  }
}

extension Inspector.Link {
  /// The link in one line.
  fileprivate var line: String {
    var parts: [String] = []
    if let label { parts.append("“\(label.text)” \(label.file):\(label.line)") }
    if let publisher { parts.append("of \(plainName(publisher))") }
    switch phase {
    case .awaiting: parts.append("has no subscription yet")
    case .ended: parts.append("upstream has ended")
    case .active: break
    }
    if let outstanding { parts.append(outstanding.text) }
    if let waiting, waiting > 0 || capacity != nil {
      parts.append("keeps \(waiting)" + (capacity.map { " of \($0)" } ?? ""))
    }
    for drop in drops { parts.append("dropped \(drop.count) \(drop.reason.phrase)") }
    if let counts { parts.append(counts.text) }
    if isCut { parts.append("…") }
    if let wait { parts.append("waits for \(wait)") }
    // The operators that keep nothing themselves, in the direction of the values.
    let chain = ([name] + passes + (subscriber.map { [$0] } ?? [])).joined(separator: " ▸ ")
    return (["\(chain) #\(id)"] + parts).joined(separator: "  ")
  }
}

extension Subscribers.Demand {
  fileprivate var text: String {
    switch self {
    case .unlimited: "asked for all"
    case .none: "asked for nothing"
    default: "asked for \(max!) more"
    }
  }
}

extension Inspector.Counts {
  fileprivate var text: String { "\(values) value\(values == 1 ? "" : "s")" }
}

extension Duration {
  /// The duration in seconds, with as many digits as matter.
  var text: String {
    if self < .seconds(1) { return "\(Int((self / .milliseconds(1)).rounded())) ms" }
    let tenths = Int((self / .milliseconds(100)).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(Double(tenths) / 10) s"
  }
}
