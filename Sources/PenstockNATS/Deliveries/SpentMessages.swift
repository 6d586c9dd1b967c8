// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS

  /// Messages of a subscription of the C client that nobody needs any more, which are given back a few at a time.
  ///
  /// The client frees them on a thread of its own, which it wakes whenever that thread has nothing to do. Giving back
  /// each message separately would wake it for every message, which costs more than the message.
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

    /// Gives back the messages that are left; also called by the owner, at its end.
    internal mutating func giveBack() {
      for message in messages { natsMsg_Destroy(message) }
      messages.removeAll(keepingCapacity: true)
      bytes = 0
    }
  }
#endif
