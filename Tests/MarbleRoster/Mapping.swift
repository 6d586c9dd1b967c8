// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockFoundation
import PenstockTesting

extension OperatorPicture {
  static let mapping: [OperatorPicture] = [
    .init(
      "map", "Each number becomes ten times that number.",
      """
      source    1-2-3-|
      > map { $0 * 10 }
      expected  '10'-'20'-'30'-|
      """
    ) { $0.numbers().map { $0 * 10 } },
    .init(
      "try-map", "6 and 8 become their halves. The closure throws for 5: upstream is cancelled, and the output fails.",
      """
      source    6-8-[5!]-2-|
      > tryMap { try half($0) }
      expected  3-4-#'odd'
      """
    ) { $0.numbers().tryMap { try half($0) } },
    .init(
      "map-key-path", "Of each time of day, the hour is published.",
      """
      source    --'8:30:15'----'9:45:10'--|
      > map(\\.hour)
      expected  --8----9--|
      """
    ) { $0.times().map(\.hour) },
    .init(
      "map-key-paths", "Of each time of day, the hour and the minute are published as a tuple.",
      """
      source    --'8:30:15'----'9:45:10'--|
      > map(\\.hour, \\.minute)
      expected  --'(8, 30)'----'(9, 45)'--|
      """
    ) { $0.times().map(\.hour, \.minute) },
    .init(
      "map-3-key-paths", "Of each time of day, the hour, the minute and the second are published as a tuple.",
      """
      source    --'8:30:15'----'9:45:10'--|
      > map(\\.hour, \\.minute, \\.second)
      expected  --'(8, 30, 15)'----'(9, 45, 10)'--|
      """
    ) { $0.times().map(\.hour, \.minute, \.second) },
    .init(
      "scan", "For each number, the sum of all numbers so far is published.",
      """
      source    1-2-3-4-|
      > scan(0) { $0 + $1 }
      expected  1-3-6-'10'-|
      """
    ) { $0.numbers().scan(0) { $0 + $1 } },
    .init(
      "try-scan", "The sums of the numbers so far are published, until the closure throws and the output fails.",
      """
      source    1-2-3-[4!]-5-|
      > tryScan(0) { try add($0, $1) }
      expected  1-3-6-#'too large'
      """
    ) {
      $0.numbers().tryScan(0) { sum, number in
        guard sum + number < 10 else { throw MarbleFailure("too large") }
        return sum + number
      }
    },
    .init(
      "replace-nil", "The numbers pass, and 0 is published in place of nil.",
      """
      source    1-'nil'-3-'nil'-|
      > replaceNil(with: 0)
      expected  1-0-3-0-|
      """
    ) { $0.optionals().replaceNil(with: 0) },
    .init(
      "map-error", "The values pass, and the failure “timed out” becomes the failure “offline”.",
      """
      source    1-2---#'timed out'
      > mapError { _ in .offline }
      expected  1-2---#'offline'
      """
    ) { $0.numbers().mapError { _ in MarbleFailure("offline") } },
    .init(
      "set-failure-type",
      "A publisher that cannot fail gets a failure type, so another publisher that fails can follow it.",
      """
      source    1-2-|
      other     ----^---#'offline'
      > setFailureType(to: Failure.self)
      >   .append(other)
      expected  1-2-----#'offline'
      """
    ) { $0.steadyNumbers().setFailureType(to: MarbleFailure.self).append($0.numbers("other")) },
    .init(
      "encode", "Each item becomes the data of its JSON.",
      """
      source    --'Item(1)'---'Item(2)'---|
      > encode(encoder: JSONEncoder())
      expected  --'{"n":1}'---'{"n":2}'---|
      """, values: { .shown { String(decoding: $0, as: UTF8.self) } }
    ) { $0.source(values: Item.values).encode(encoder: JSONEncoder()) },
    .init(
      "decode", "Each JSON becomes an item. What is no JSON cancels upstream, and the output fails.",
      """
      source    --'{"n":1}'---'{"n":2}'---['oops'!]--|
      > decode(type: Item.self, decoder: JSONDecoder())
      expected  --'Item(1)'---'Item(2)'---#
      """
    ) { $0.source().map { Data($0.utf8) }.decode(type: Item.self, decoder: JSONDecoder()) },
  ]
}
