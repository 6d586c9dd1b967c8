// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere, NATSServer.missing)) struct KeyValueTests {
    private func makeBucket(on server: NATSServer? = nil) async throws -> (NATSConnection, NATSBucket) {
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      let address = if let server { server.address } else { try await NATSServer.shared().address }
      let connection = try await NATSConnection.connect(to: [address], options: options)
      var configuration = NATSBucketConfiguration(uniqueName("B"))
      configuration.history = 5
      return (connection, try await connection.createBucket(configuration))
    }

    @Test func `Keys are put, got, updated and deleted`() async throws {
      let (connection, bucket) = try await makeBucket()
      #expect(try await bucket.get("kitchen.max") == nil)
      let first = try await bucket.put("21", for: "kitchen.max")
      let entry = try await bucket.get("kitchen.max")
      #expect(
        entry?.text == "21" && entry?.revision == first && entry?.key == "kitchen.max" && entry?.operation == .put)
      let second = try await bucket.update("22", for: "kitchen.max", revision: first)
      #expect(second == first + 1)
      #expect(
        await error { try await bucket.update("23", for: "kitchen.max", revision: first) }?.reason == .wrongLastSequence
      )
      #expect(await error { try await bucket.create([1], for: "kitchen.max") }?.reason == .wrongLastSequence)
      try await bucket.delete("kitchen.max")
      #expect(try await bucket.get("kitchen.max") == nil)
      try await bucket.create([0, 255], for: "kitchen.max")
      #expect(try await bucket.get("kitchen.max")?.value == [0, 255])
      try await bucket.purge("kitchen.max")
      #expect(try await bucket.get("kitchen.max") == nil)
      #expect(try await connection.streamInfo("KV_\(bucket.name)").state.messages == 1)
      try await connection.deleteBucket(bucket.name)
      #expect(await error { _ = try await bucket.get("kitchen.max") }?.reason == .streamNotFound)
    }

    @Test func `A watch begins with the latest values, and goes on with changes`() async throws {
      let (_, bucket) = try await makeBucket()
      for value in 1...3 {
        for key in ["a.x", "a.y", "b"] { try await bucket.put("\(value)", for: key) }
      }
      let probe = Probe<NATSEntry, NATSError>()
      bucket.watch("a.*").subscribe(probe)
      let first = await probe.values(2)
      #expect(
        first.map(\.key) == ["a.x", "a.y"] && first.map(\.text) == ["3", "3"] && first.map(\.pending) == [1, 0])
      try await bucket.put("4", for: "a.x")
      try await bucket.put("4", for: "b")
      try await bucket.delete("a.y")
      let rest = await probe.values(4).dropFirst(2)
      #expect(rest.map(\.key) == ["a.x", "a.y"] && rest.map(\.operation) == [.put, .delete])
      probe.cancel()
    }

    @Test func `Who watches slowly sees the latest value of each key`() async throws {
      let (_, bucket) = try await makeBucket()
      let (slow, quick) = (Probe<NATSEntry, NATSError>(demand: .max(1)), Probe<NATSEntry, NATSError>())
      bucket.watch().subscribe(slow)
      bucket.watch().subscribe(quick)
      try await bucket.put("0", for: "a")
      _ = await slow.values(1)
      for value in 1...20 {
        for key in ["a", "b"] { try await bucket.put("\(value)", for: key) }
      }
      func isDone(_ probe: Probe<NATSEntry, NATSError>) -> Bool {
        probe.values.filter { $0.text == "20" }.count == 2
      }
      #expect(await reached { isDone(quick) })
      try await bucket.connection(flush: .seconds(5))
      #expect(slow.count == 1)
      slow.request(1)
      _ = await slow.values(2)
      slow.request(100)
      #expect(await reached { isDone(slow) })
      #expect(slow.count <= 5 && slow.isLawful)
      slow.cancel()
      quick.cancel()
    }

    @Test func `After a restart a watch goes on with what has changed meanwhile`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      let (_, bucket) = try await makeBucket(on: server)
      let probe = Probe<NATSEntry, NATSError>()
      bucket.watch(heartbeat: .milliseconds(200)).subscribe(probe)
      try await bucket.put("1", for: "a")
      _ = await probe.values(1)
      for value in 2...4 {
        server.kill()
        try await server.start()
        #expect(try await becomes { (try? await bucket.put("\(value)", for: "a")) != nil })
        #expect(await reached { probe.values.last?.text == "\(value)" })
      }
      #expect(probe.values.map(\.revision) == probe.values.map(\.revision).sorted())
      probe.cancel()
    }

    @Test func `A bucket of a domain is written where it is read`() async throws {
      let server = try await NATSServer.start()
      defer { server.stop() }
      try await server.restart(domain: "hub")
      var options = NATSOptions()
      options.jetStreamPrefix = "$JS.hub.API"
      let connection = try await NATSConnection.connect(to: [server.address], options: options)
      let bucket = try await connection.createBucket(NATSBucketConfiguration(uniqueName("b")))
      let probe = Probe<NATSEntry, NATSError>()
      bucket.watch().subscribe(probe)
      let revision = try await bucket.put("1", for: "a")
      #expect(try await bucket.get("a")?.text == "1")
      _ = await probe.values(1)
      try await bucket.update("2", for: "a", revision: revision)
      #expect(await probe.values(2).map(\.text) == ["1", "2"] && probe.values.allSatisfy { $0.key == "a" })
      try await bucket.delete("a")
      #expect(try await bucket.get("a") == nil)
      probe.cancel()
      connection.close()
      // One server has both subjects; another one, to which the domain belongs, has the one with the prefix.
      let other = try FakeServer()
      defer { other.stop() }
      let far = try await NATSConnection.connect(to: ["nats://\(other.address)"], options: options)
      let put = Task { try await far.bucket("limits").put("1", for: "a") }
      #expect(await reached { other.text.contains("PUB $JS.hub.API.$KV.limits.a ") })
      put.cancel()
      far.close()
    }

    @Test func `A watch survives a bucket that is deleted and made again`() async throws {
      let (connection, bucket) = try await makeBucket()
      let probe = Probe<NATSEntry, NATSError>()
      bucket.watch(heartbeat: .milliseconds(300)).subscribe(probe)
      for value in 1...20 { try await bucket.put("\(value)", for: "k") }
      #expect(await reached { probe.values.last?.text == "20" })
      try await connection.deleteBucket(bucket.name)
      _ = try await connection.createBucket(NATSBucketConfiguration(bucket.name))
      for number in 0..<5 { try await bucket.put("new", for: "k\(number)") }
      #expect(await reached { probe.values.filter { $0.text == "new" }.count == 5 })
      try await bucket.put("newer", for: "k0")
      #expect(await reached { probe.values.last?.text == "newer" })
      #expect(probe.values.map(\.revision).last == 6 && probe.isLawful)
      probe.cancel()
    }

    @Test func `Who watches slowly knows the last of those that were there by nothing pending, too`()
      async throws
    {
      let (_, bucket) = try await makeBucket()
      for number in 0..<30 { try await bucket.put("old", for: "k\(number)") }
      let (slow, quick) = (Probe<NATSEntry, NATSError>(demand: .max(1)), Probe<NATSEntry, NATSError>())
      bucket.watch().subscribe(slow)
      bucket.watch().subscribe(quick)
      _ = await slow.values(1)
      _ = await quick.values(30)
      // Changes of waiting entries come in their places, and a change of an entry that has come comes last.
      for number in [0, 7, 12] { try await bucket.put("new", for: "k\(number)") }
      _ = await quick.values(33)
      slow.request(100)
      let values = await slow.values(31)
      let seen = values.prefix { $0.pending > 0 }.count + 1
      #expect(seen == 30 && Set(values.prefix(30).map(\.key)).count == 30)
      #expect(values.filter { $0.text == "new" }.count == 3 && values.last?.key == "k0")
      slow.cancel()
      quick.cancel()
    }

    @Test func `A watch says when all that was there has come, also if that is nothing`() async throws {
      let (_, bucket) = try await makeBucket()
      let empty = Probe<NATSWatchEvent, NATSError>()
      bucket.watchEvents().subscribe(empty)
      #expect(await empty.values(1) == [.isCurrent])
      for key in ["a", "b"] { try await bucket.put("1", for: key) }
      let (quick, slow) = (Probe<NATSWatchEvent, NATSError>(), Probe<NATSWatchEvent, NATSError>(demand: .max(1)))
      for probe in [quick, slow] { bucket.watchEvents().subscribe(probe) }
      func words(_ events: [NATSWatchEvent]) -> [String] {
        events.map { if case .entry(let entry) = $0 { entry.key + entry.text } else { "current" } }
      }
      #expect(words(await quick.values(3)) == ["a1", "b1", "current"])
      _ = await slow.values(1)
      try await bucket.put("2", for: "b")
      #expect(words(await quick.values(4)).last == "b2")
      #expect(words(await empty.values(4)) == ["current", "a1", "b1", "b2"])
      // The other change of b waits in the place of the first, before the sign.
      slow.request(9)
      #expect(words(await slow.values(3)).prefix(3).last == "current" && slow.isLawful)
      for probe in [empty, quick, slow] { probe.cancel() }
    }

    @Test func `Keys, earlier values and the history of a key can be read`() async throws {
      let (connection, bucket) = try await makeBucket()
      #expect(try await bucket.keys().isEmpty)
      #expect(try await bucket.history(of: "a.x").isEmpty)
      var revisions: [UInt64] = []
      for value in 1...7 { revisions.append(try await bucket.put("\(value)", for: "a.x")) }
      try await bucket.put("1", for: "a.y")
      try await bucket.put("1", for: "b")
      try await bucket.delete("a.y")
      // The bucket keeps five of them.
      let history = try await bucket.history(of: "a.x")
      #expect(
        history.map(\.text) == ["3", "4", "5", "6", "7"] && history.map(\.revision) == Array(revisions.dropFirst(2)))
      #expect(try await bucket.history(of: "a.y").map(\.operation) == [.put, .delete])
      #expect(try await bucket.get("a.x", revision: revisions[4])?.text == "5")
      #expect(try await bucket.get("a.x", revision: revisions[0]) == nil)
      #expect(try await bucket.get("b", revision: revisions[4]) == nil)
      #expect(try await bucket.keys().sorted() == ["a.x", "b"])
      #expect(try await bucket.keys("a.*") == ["a.x"])
      #expect(await error { _ = try await connection.bucket("nowhere").keys() }?.reason == .streamNotFound)
    }

    @Test func `A value ends with its time to live`() async throws {
      let (connection, _) = try await makeBucket()
      var configuration = NATSBucketConfiguration(uniqueName("T"))
      configuration.maxAge = .milliseconds(200)
      let bucket = try await connection.createBucket(configuration)
      try await bucket.put("1", for: "a")
      #expect(try await becomes { try await bucket.get("a") == nil })
      #expect(try await bucket.history(of: "a").isEmpty)
    }

    @Test func `A bucket that is not there is a failure`() async throws {
      let (connection, _) = try await makeBucket()
      let probe = Probe<NATSEntry, NATSError>()
      try connection.bucket("nowhere").watch().subscribe(probe)
      #expect(await probe.failure()?.reason == .streamNotFound)
      let other = Probe<NATSEntry, NATSError>()
      try connection.bucket("nowhere").watch("a b").subscribe(other)
      #expect(await other.failure()?.reason == .invalidName)
    }

    @Test func `A drained connection finishes a watch`() async throws {
      let (connection, bucket) = try await makeBucket()
      let probe = Probe<NATSEntry, NATSError>()
      bucket.watch().subscribe(probe)
      try await bucket.put("1", for: "a")
      _ = await probe.values(1)
      await connection.drain()
      #expect(await probe.end() == .finished)
    }
  }

  extension NATSBucket {
    /// Waits until earlier messages have come.
    fileprivate func connection(flush time: Duration) async throws {
      _ = try await get("none")
    }
  }
#endif
