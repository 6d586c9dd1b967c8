// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Inspector {
  /// Streams of one shape: the same names, labels and operators, held up at the same link for the same reason, or not held up.
  internal struct StreamGroup {
    /// The number of the shape, the same as long as the process runs.
    let shape: UInt
    /// The oldest first.
    var streams: [Stream]

    /// The stream that is shown for all.
    var first: Stream { streams[0] }
    /// The longest time for which nothing has changed in one of them.
    var longest: Duration { streams.lazy.compactMap(\.unchanged).max() ?? .zero }

    /// Returns the shapes of streams: those that are held up first, and each in the order of its oldest stream.
    static func groups(of streams: [Stream]) -> [StreamGroup] {
      var places: [UInt: Int] = [:]
      var groups: [StreamGroup] = []
      for stream in streams {
        let shape = stream.shape
        if let place = places[shape] {
          groups[place].streams.append(stream)
        } else {
          places[shape] = groups.count
          groups.append(StreamGroup(shape: shape, streams: [stream]))
        }
      }
      return groups.filter { $0.first.culprit != nil } + groups.filter { $0.first.culprit == nil }
    }
  }
}

extension Inspector.Stream {
  /// The same number for streams that differ in numbers only.
  fileprivate var shape: UInt {
    var hasher = Hasher()
    hasher.combine(culprit?.reason)
    end.addShape(to: &hasher, culprit: culprit?.link)
    return UInt(bitPattern: hasher.finalize())
  }
}

extension Inspector.Link {
  fileprivate func addShape(to hasher: inout Hasher, culprit: UInt64?) {
    hasher.combine(name)
    hasher.combine(label)
    hasher.combine(publisher)
    hasher.combine(passes)
    hasher.combine(subscriber)
    hasher.combine(id == culprit)
    hasher.combine(isCut)
    // Delimits the links upstream, so that no two trees give the same row.
    hasher.combine(upstreams.count)
    for upstream in upstreams {
      hasher.combine(upstream.role)
      upstream.link.addShape(to: &hasher, culprit: culprit)
    }
  }
}
