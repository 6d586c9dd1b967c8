// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Verified {
  static var operators: [any Verification] {
    [
      OperatorVerification("map") { $0.map { $0 } },
      OperatorVerification("mapError") { $0.mapError { $0 } },
      OperatorVerification(ofNever: "setFailureType") { $0.setFailureType(to: VerificationError.self) },
      OperatorVerification("filter") { $0.filter { _ in true } },
      OperatorVerification("filter, some") { $0.filter { !$0.isMultiple(of: 3) } },
      OperatorVerification("compactMap") { $0.compactMap { $0 } },
      OperatorVerification("replaceNil") { $0.map { $0 as Int? }.replaceNil(with: 0) },
      OperatorVerification("replaceEmpty") { $0.replaceEmpty(with: 0) },
      OperatorVerification("replaceError") { $0.replaceError(with: 0) }.traits(.catchesFailure),
      OperatorVerification("removeDuplicates") { $0.removeDuplicates() },
      OperatorVerification("scan") { $0.scan(0) { $1 } },
      OperatorVerification("collect") { $0.collect() }.traits(.requestsEverything),
      OperatorVerification("collect(3)") { $0.collect(3) }.traits(.requestsEverything),
      OperatorVerification("ignoreOutput") { $0.ignoreOutput() }.traits(.requestsEverything)
        .waiving("R-02", because: "it requests of each subscription that it passes on, as in Combine"),
      OperatorVerification("reduce") { $0.reduce(0) { $1 } }.traits(.requestsEverything),
      OperatorVerification("count") { $0.count() }.traits(.requestsEverything),
      OperatorVerification("max") { $0.max() }.traits(.requestsEverything).waiting,
      OperatorVerification("min") { $0.min() }.traits(.requestsEverything).waiting,
      OperatorVerification("contains") { $0.contains(7) }.traits(.requestsEverything),
      OperatorVerification("allSatisfy") { $0.allSatisfy { $0 < 7 } }.traits(.requestsEverything),
      OperatorVerification("first") { $0.first() }.traits(.requestsEverything).waiting,
      OperatorVerification("first(where:)") { $0.first { $0 > 1 } }.traits(.requestsEverything).waiting,
      OperatorVerification("last") { $0.last() }.traits(.requestsEverything).waiting,
      OperatorVerification("last(where:)") { $0.last { $0 > 1 } }.traits(.requestsEverything).waiting,
      OperatorVerification("dropFirst") { $0.dropFirst(2) }.traits(.requestsEverything),
      OperatorVerification("drop(while:)") { $0.drop { $0 < 1 } },
      OperatorVerification("prefix(3)") { $0.prefix(3) },
      OperatorVerification("prefix(while:)") { $0.prefix { $0 < 5 } },
      OperatorVerification("output(in:)") { $0.output(in: 1...3) },
      OperatorVerification("retry") { $0.retry(1) }.traits(.catchesFailure),
      OperatorVerification("catch") { $0.catch { _ in Just(0) } }.traits(.catchesFailure),
      OperatorVerification("buffer") { $0.buffer(size: 4, prefetch: .keepFull, whenFull: .dropNewest) }
        .traits(.requestsEverything, .catchesFailure)
        .waiving("P-07", because: "the end waits behind the buffer for demand, as in Combine"),
      OperatorVerification("handleEvents") { $0.handleEvents() }.traits(.transparent),
      OperatorVerification("print") { $0.print("", to: Silence()) }.traits(.transparent),
      OperatorVerification("breakpoint") { $0.breakpoint() }.traits(.transparent),
      OperatorVerification("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
      OperatorVerification("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
      OperatorVerification("measureInterval") { $0.measureInterval(using: ImmediateScheduler.shared) },
      OperatorVerification("delay") { $0.delay(for: 0, scheduler: ImmediateScheduler.shared) },
      OperatorVerification("share") { $0.share() }.traits(.shared, .dropsUnrequested, .requestsEverything)
        .waiving("R-02", because: "a subject takes several upstreams, as in Combine"),
      OperatorVerification("multicast, autoconnect") {
        $0.multicast { PassthroughSubject<Int, VerificationError>() }.autoconnect()
      }
      .traits(.shared, .dropsUnrequested, .requestsEverything)
      .waiving("R-02", because: "a subject takes several upstreams, as in Combine"),
      OperatorVerification("eraseToAnyPublisher") { $0.eraseToAnyPublisher() },
    ]
  }

  static var throwingOperators: [any Verification] {
    [
      OperatorVerification("tryMap") { $0.tryMap { $0 } }
        .throwing { upstream, check in
          upstream.tryMap(passing(check))
        },
      OperatorVerification("tryFilter") { $0.tryFilter { _ in true } }
        .throwing { upstream, check in
          upstream.tryFilter { number in
            try check(number)
            return true
          }
        },
      OperatorVerification("tryCompactMap") { $0.tryCompactMap { $0 } }
        .throwing { upstream, check in
          upstream.tryCompactMap(passing(check))
        },
      OperatorVerification("tryScan") { $0.tryScan(0) { $1 } }
        .throwing { upstream, check in
          upstream.tryScan(0) { try passing(check)($1) }
        },
      OperatorVerification("tryRemoveDuplicates") { $0.tryRemoveDuplicates { $0 == $1 } },
      OperatorVerification("tryReduce") { $0.tryReduce(0) { $1 } }.traits(.requestsEverything)
        .throwing { upstream, check in
          upstream.tryReduce(0) { try passing(check)($1) }
        },
      OperatorVerification("tryPrefix(while:)") { $0.tryPrefix { $0 < 5 } }
        .throwing { upstream, check in
          upstream.tryPrefix { number in
            try check(number)
            return true
          }
        },
      OperatorVerification("tryDrop(while:)") { $0.tryDrop { $0 < 1 } }
        .throwing { upstream, check in
          upstream.tryDrop { number in
            try check(number)
            return number < 1
          }
        },
      OperatorVerification("tryCatch") { $0.tryCatch { _ in Just(0).setFailureType(to: VerificationError.self) } }
        .traits(.catchesFailure),
    ]
  }

  static var severalUpstreams: [any Verification] {
    [
      OperatorVerification("zip") { $0.zip($0) { first, _ in first } }.traits(.upstreams(2)),
      OperatorVerification("append") { $0.append(7) },
      OperatorVerification("prepend") { $0.prepend(7) },
      OperatorVerification("flatMap") { $0.flatMap { Just($0).setFailureType(to: VerificationError.self) } }
        .traits(.requestsEverything)
        .children(max: 2) { $0.flatMap(maxPublishers: .max(2)) { $0 } },
      OperatorVerification("switchToLatest") {
        Just($0).setFailureType(to: VerificationError.self).switchToLatest()
      }
      .traits(.requestsEverything),
    ]
  }
}

extension OperatorVerification {
  /// The verification of an operator whose result may be no value.
  fileprivate var waiting: Self { waiving("P-07", because: "an end without a result waits for demand, as in Combine") }
}

/// A closure that passes each number on, unless the check throws.
private func passing(_ check: @escaping (Int) throws -> Void) -> (Int) throws -> Int {
  { number in
    try check(number)
    return number
  }
}

/// The stream to which `print` writes.
private struct Silence: TextOutputStream {
  mutating func write(_ text: String) {}
}
