// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock
import PenstockOperators

/// A gauge like those of drivers: it calls back, and has to be stopped.
private final class Gauge {
  var onReading: ((Int) -> Void)?

  func measure(_ level: Int) { onReading?(level) }
}

extension Scenario {
  static let sources = Scenario(
    name: "sources", heading: "Sources: a file that is closed, a gauge that calls back, a clock that ticks"
  ) { page, tempo in
    page.showFile(MachineText.file)
    page.showGauge()

    page.print("interval: three ticks, a quarter of a second apart")
    var logger = tempo.logger(to: page)
    let start = tempo.now
    let ticks = Publishers.interval(.milliseconds(250), scheduler: tempo).enumerated().prefix(3)
    tempo.runToEnd(of: ticks) { index, time in
      let due = start.advanced(by: .milliseconds(250 * (index + 1)))
      print("tick \(index + 1), not before its time: \(time >= due)", to: &logger)
    }
  }
}

extension Page {
  /// Reads a file in blocks, as they are requested.
  fileprivate func showFile(_ file: URL) {
    var reads = 0
    func blocks(of size: Int) -> some Publisher<Data, any Error> {
      Publishers.tryUsing {
        self.print("  opened")
        return try FileHandle(forReadingFrom: file)
      } cleanup: { handle in
        try? handle.close()
        self.print("  closed")
      } publisher: { handle in
        Publishers.tryGenerate(state: handle) { handle in
          reads += 1
          return try handle.read(upToCount: size).flatMap { $0.isEmpty ? nil : $0 }
        }
      }
    }
    func show(_ publisher: some Publisher<String, any Error>) {
      let cancellable = publisher.sink(
        receiveCompletion: { self.print("  \($0)") }, receiveValue: { self.print("  \($0)") })
      cancellable.cancel()
    }

    print("tryUsing and tryGenerate: a file of this machine, the first three bytes of it")
    show(blocks(of: 1).prefix(3).enumerated().map { "byte \($0.index + 1)" })
    print("  read \(reads) times")
    print("All of it, in larger blocks:")
    let whole = try? Data(contentsOf: file)
    show(blocks(of: 65_536).reduce(Data(), +).map { "all its bytes: \($0 == whole)" })
  }

  /// Makes a publisher of an API that calls back.
  fileprivate func showGauge() {
    print("create: a gauge that calls back, and room for two readings that wait")
    let gauge = Gauge()
    let readings = AnyPublisher<Int, Never>.create(bufferSize: 2, whenFull: .dropOldest) { emitter in
      gauge.onReading = { emitter.send($0) }
      emitter.onDemand { self.print("  wanted: \($0)") }
      return AnyCancellable {
        gauge.onReading = nil
        self.print("  stopped")
      }
    }
    let subscriber = DemandingSubscriber(page: self)
    readings.prefix(4).subscribe(subscriber)
    subscriber.ask(for: .max(1))
    for level in 1...5 { gauge.measure(level) }
    subscriber.ask(for: .max(3))
    gauge.measure(6)
    gauge.measure(7)
  }
}
