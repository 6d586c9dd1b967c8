// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

extension Law {
  /// With one subscriber.
  static let sharing: [Law] = [
    .init(
      "share changes nothing for one subscriber.", .unlimited, "{0}.share()", "{0}",
      { $0[0].share().eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "multicast changes nothing for one subscriber.", .unlimited,
      "{0}.multicast { PassthroughSubject() }.autoconnect()", "{0}",
      { $0[0].multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "A buffer changes nothing where everything is requested.", .unlimited,
      "{0}.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)", "{0}",
      { $0[0].buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "A buffer that is kept full changes nothing where everything is requested.", .unlimited, sources: .timed,
      "{0}.buffer(size: #n, prefetch: .keepFull, whenFull: .dropNewest)", "{0}",
      { $0[0].buffer(size: $0.n, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "Two buffers are one.", .signals,
      "{0}.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)"
        + ".buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)",
      "{0}.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)",
      {
        $0[0].buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
          .buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
      }, { $0[0].buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher() }),
  ]
}
