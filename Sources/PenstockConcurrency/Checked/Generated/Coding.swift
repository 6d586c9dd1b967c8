// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore

extension SendablePublisher {
  /// Decodes each value.
  ///
  /// Does what ``/PenstockCore/Publisher/decode(type:decoder:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func decode<Item: Decodable & Sendable, Coder: TopLevelDecoder & Sendable>(type: Item.Type, decoder: Coder)
    -> SendablePublisher<Publishers.Decode<Base, Item, Coder>> where Output == Coder.Input
  {
    SendablePublisher<Publishers.Decode<Base, Item, Coder>>(unchecked: base.decode(type: type, decoder: decoder))
  }

  /// Encodes each value.
  ///
  /// Does what ``/PenstockCore/Publisher/encode(encoder:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func encode<Coder: TopLevelEncoder & Sendable>(encoder: Coder) -> SendablePublisher<
    Publishers.Encode<Base, Coder>
  > where Output: Encodable {
    SendablePublisher<Publishers.Encode<Base, Coder>>(unchecked: base.encode(encoder: encoder))
  }
}
