// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
public import PenstockCore
public import PenstockDeliveryTesting

// The page “An engine of your own” quotes everything below; a test compares the two.

/// The queue in a folder, as its verification sees it.
public struct FolderEngine: DeliveryEngine {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let queue: FolderQueue

  public init(_ configuration: DeliveryEngineConfiguration) throws {
    queue = try FolderQueue(folder, deadline: configuration.deadline)
  }

  public func publish(_ texts: [String], headers: [String: String]) throws {
    for text in texts { try queue.publish(Array(text.utf8), headers: headers) }
  }

  public func deliveries(
    batch: ClosedRange<Int>, refillAt lowMark: Int?
  ) -> some Publisher<FolderDelivery, any Error> {
    queue.deliveries(batch: batch, refillAt: lowMark)
  }

  public func text(of delivery: FolderDelivery) -> String { String(decoding: delivery.payload, as: UTF8.self) }
  public func unsettledCount() throws -> Int { try queue.count(in: "taken") }
  public func retainedCount() throws -> Int { try queue.count(in: "taken") + queue.count(in: "ready") }
  public func close() { try? FileManager.default.removeItem(at: folder) }
}
