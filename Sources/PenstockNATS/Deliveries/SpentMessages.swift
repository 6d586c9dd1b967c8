// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS

  /// Messages of a subscription of the C client that nobody needs any more, which are given back a few at a time.
  ///
  /// The client leaves it to a thread of its own to free them, and wakes that whenever it has nothing to do: for each message
  /// that is given back by itself, which costs more than the message.
  internal struct SpentMessages: ~Copyable {
    private static let mostMessages = 64
    private static let mostBytes = 64 << 10

    private var messages: [OpaquePointer] = []
    private var bytes = 0

    internal mutating func add(_ message: OpaquePointer) {
      messages.append(message)
      bytes += Int(natsMsg_GetDataLength(message))
      if messages.count == Self.mostMessages || bytes > Self.mostBytes { giveBack() }
    }

    /// Gives back what is left; also called by the owner, at its end.
    internal mutating func giveBack() {
      for message in messages { natsMsg_Destroy(message) }
      messages.removeAll(keepingCapacity: true)
      bytes = 0
    }
  }
#endif
