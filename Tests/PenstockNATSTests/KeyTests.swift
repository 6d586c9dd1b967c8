// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  import Foundation
  import PenstockConcurrency
  import PenstockNATS
  import TestSupport
  import Testing

  @Suite(.enabled(if: NATSServer.isThere && openssl != nil, needsOpenssl)) struct KeyTests {
    private func reason(_ server: NATSServer, _ authentication: NATSOptions.Authentication) async -> NATSError.Reason? {
      await error {
        let connection = try await NATSConnection.connect(
          to: [server.address], options: NATSOptions(authentication: authentication))
        try await connection.flush()
      }?.reason
    }

    @Test func `A key lets in who has its seed`() async throws {
      let folder = try TestFolder()
      let (key, other) = (try NATSKey(of: .user, in: folder), try NATSKey(of: .user, in: folder))
      let server = try await NATSServer.start("authorization {", "  users = [", "    {nkey: \(key.name)}", "  ]", "}")
      defer { server.stop() }
      func reason(_ name: String, _ seed: String) async throws -> NATSError.Reason? {
        await self.reason(server, .nkey(public: name, seedFile: try folder.write(seed, to: "seed")))
      }
      #expect(try await reason(key.name, key.seed) == nil)
      #expect(try await reason(key.name, other.seed) == .authorization)
      #expect(try await reason(other.name, other.seed) == .authorization)
      #expect(try await reason(key.name, "nonsense") != nil)
      // The same from memory.
      #expect(await self.reason(server, .nkeySeed(public: key.name, seed: key.seed)) == nil)
      #expect(await self.reason(server, .nkeySeed(public: key.name, seed: other.seed)) == .authorization)
      #expect(await self.reason(server, .nkeySeed(public: key.name, seed: "nonsense")) != nil)
    }

    @Test func `A file of credentials lets in whom an account has signed for, and who has the seed`() async throws {
      let folder = try TestFolder()
      let chief = try NATSKey(of: .operators, in: folder)
      let (system, account, stranger) = (
        try NATSKey(of: .account, in: folder), try NATSKey(of: .account, in: folder),
        try NATSKey(of: .account, in: folder)
      )
      let (user, other) = (try NATSKey(of: .user, in: folder), try NATSKey(of: .user, in: folder))
      let trust = try folder.write(
        try chief.token(about: chief, "{\"type\":\"operator\",\"version\":2}"), to: "operator.jwt")
      let limits =
        "\"subs\":-1,\"data\":-1,\"payload\":-1,\"imports\":-1,\"exports\":-1,\"wildcards\":true,\"conn\":-1,"
        + "\"leaf\":-1"
      let storage = "\"mem_storage\":-1,\"disk_storage\":-1,\"streams\":-1,\"consumer\":-1"
      let accounts = try [(system, limits), (account, limits + "," + storage)].map { key, limits in
        let token = try chief.token(about: key, "{\"type\":\"account\",\"version\":2,\"limits\":{\(limits)}}")
        return "  \(key.name): \"\(token)\""
      }
      let server = try await NATSServer.start(
        "operator: \"\(trust)\"", "system_account: \(system.name)", "resolver: MEMORY", "resolver_preload: {",
        accounts[0], accounts[1], "}")
      defer { server.stop() }
      let claims = "{\"type\":\"user\",\"version\":2,\"subs\":-1,\"data\":-1,\"payload\":-1}"
      func credentials(_ token: String, _ seed: String) throws -> NATSOptions.Authentication {
        .credentialsFile(
          try folder.write(
            """
            -----BEGIN NATS USER JWT-----
            \(token)
            ------END NATS USER JWT------

            -----BEGIN USER NKEY SEED-----
            \(seed)
            ------END USER NKEY SEED------

            """, to: "user.creds"))
      }
      let token = try account.token(about: user, claims)
      #expect(await reason(server, try credentials(token, user.seed)) == nil)
      // With the seed of another key, and signed by an unknown account.
      #expect(await reason(server, try credentials(token, other.seed)) == .authorization)
      let strange = try stranger.token(about: user, claims)
      #expect(await reason(server, try credentials(strange, user.seed)) == .authorization)
      #expect(await reason(server, try credentials("nonsense", user.seed)) == .authorization)
      #expect(await reason(server, .nkey(public: user.name, seedFile: try folder.write(user.seed, to: "seed"))) != nil)
      // The same from memory.
      func text(_ token: String, _ seed: String) throws -> NATSOptions.Authentication {
        guard case .credentialsFile(let file) = try credentials(token, seed) else { return .token("") }
        return .credentials(try String(contentsOfFile: file, encoding: .utf8))
      }
      #expect(await reason(server, try text(token, user.seed)) == nil)
      #expect(await reason(server, try text(token, other.seed)) == .authorization)
      #expect(await reason(server, .credentials("nonsense")) == .invalidName)

      // It allows everything that the account allows, including a stream.
      let connection = try await NATSConnection.connect(
        to: [server.address], options: NATSOptions(authentication: try credentials(token, user.seed)))
      let remembering = try await NATSConnection.connect(
        to: [server.address], options: NATSOptions(authentication: try text(token, user.seed)))
      try await connection.createStream(StreamConfiguration("S", subjects: ["s"]))
      #expect(try await connection.publishConfirmed([1], to: "s").sequence == 1)
      // The file is read again when the connection is made again.
      let states = Probe<NATSConnectionState, Never>()
      connection.states.subscribe(states)
      server.kill()
      try await server.start()
      #expect(await reached { states.values.contains(.reconnected(to: server.address)) })
      #expect(try await connection.publishConfirmed([2], to: "s", attempts: 20).sequence == 2)
      // A key in memory signs again as well.
      #expect(try await remembering.publishConfirmed([3], to: "s", attempts: 20).sequence == 3)
      remembering.close()
      connection.close()
    }
  }
#endif
