// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
public import PenstockCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// These overloads serve only the compiler's messages, as in PenstockCore.
extension Publisher where Output == (data: Data, response: URLResponse) {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "the values are pairs of data and response: put map(\\.data) before it")
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Publishers.MapKeyPath<Self, Data>, Item, Coder> { onlyForItsMessage() }
}
