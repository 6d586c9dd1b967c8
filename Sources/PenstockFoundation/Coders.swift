// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

/// Encodes values of a stream as JSON; see ``/PenstockCore/Publisher/encode(encoder:)``.
extension JSONEncoder: TopLevelEncoder {
  public typealias Output = Data
}

/// Decodes values of a stream from JSON; see ``/PenstockCore/Publisher/decode(type:decoder:)``.
extension JSONDecoder: TopLevelDecoder {
  public typealias Input = Data
}

/// Encodes values of a stream as property lists; see ``/PenstockCore/Publisher/encode(encoder:)``.
extension PropertyListEncoder: TopLevelEncoder {
  public typealias Output = Data
}

/// Decodes values of a stream from property lists; see ``/PenstockCore/Publisher/decode(type:decoder:)``.
extension PropertyListDecoder: TopLevelDecoder {
  public typealias Input = Data
}
