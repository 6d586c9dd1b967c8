// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if canImport(Dispatch) && !os(Windows)
  internal import Dispatch
  internal import PenstockCore

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #elseif canImport(Darwin)
    internal import Darwin
  #endif

  extension Inspector {
    /// Makes the process write its streams to standard error whenever it gets a signal of the system.
    ///
    /// ```swift
    /// Inspector.reportOnSignal()
    /// ```
    ///
    /// From then on `kill -USR1` and the number of the process, in any terminal, or from outside a container, shows
    /// what runs in it and what is held up. The signal no longer ends the process, as `SIGUSR1` does by default.
    ///
    /// **Concurrency:** the report is made on a thread of Dispatch, which sleeps between two looks. Signals that come
    /// meanwhile make one more report. A second call with the same signal replaces the first.
    ///
    /// - Parameters:
    ///   - signal: The signal; `nil` is `SIGUSR1`.
    ///   - duration: How long the streams are watched; see ``snapshot(watching:looks:)``.
    public static func reportOnSignal(_ signal: Int32? = nil, watching duration: Duration = .seconds(1)) {
      reportOnSignal(signal ?? SIGUSR1, watching: duration) { report in
        var rest = Array(report.utf8)[...]
        while !rest.isEmpty {
          let written = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
          if written <= 0 { return }
          rest = rest.dropFirst(written)
        }
      }
    }

    package static func reportOnSignal(
      _ number: Int32, watching duration: Duration, write: @escaping @Sendable (String) -> Void
    ) {
      #if canImport(Darwin)
        Darwin.signal(number, SIG_IGN)
      #else
        _ = signal(number, SIG_IGN)
      #endif
      // A queue of its own, so that neither the report nor the wait below depends on threads that the program blocks.
      let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "penstock.inspector"))
      let isListening = DispatchSemaphore(value: 0)
      source.setRegistrationHandler { isListening.signal() }
      source.setEventHandler {
        let never = DispatchSemaphore(value: 0)
        let snapshot = snapshot(watching: duration, looks: 8) { pause in
          _ = never.wait(timeout: .now() + .nanoseconds(pause.nanoseconds))
        }
        write("\(snapshot)")
      }
      source.activate()
      // A signal that comes before the source listens is ignored.
      isListening.wait()
      reports.withLock { $0.updateValue(source, forKey: number) }?.cancel()
    }

    /// Keeps the sources alive.
    private static let reports = Guarded<[Int32: any DispatchSourceSignal]>([:])
  }
#endif
