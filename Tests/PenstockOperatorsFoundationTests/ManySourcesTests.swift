// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockOperatorsFoundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Several notifications, and several requests, as one stream.
@Suite struct ManySourcesTests {
  private let names = ["opened", "closed", "leaked"].map { Notification.Name($0) }

  @Test func `Notifications of several names come in the order they are posted`() {
    let center = NotificationCenter()
    let recorder = Recorder<Notification, Never>()
    center.publisher(for: [names[0], names[1]]).subscribe(recorder)
    for name in [names[1], names[2], names[0], names[1]] { center.post(name: name, object: nil) }
    #expect(recorder.values.map(\.name) == [names[1], names[0], names[1]])
    recorder.cancel()
    center.post(name: names[0], object: nil)
    #expect(recorder.values.count == 3)
  }

  @Test func `Only the object's notifications come, and one of each name waits`() {
    let (center, mine, other) = (NotificationCenter(), NSObject(), NSObject())
    let recorder = Recorder<Notification, Never>(demand: nil)
    center.publisher(for: names, object: mine).subscribe(recorder)
    center.post(name: names[0], object: other)
    for name in [names[2], names[2], names[1]] { center.post(name: name, object: mine) }
    #expect(recorder.values.isEmpty)
    recorder.request(.max(3))
    #expect(Set(recorder.values.map(\.name)) == [names[1], names[2]])
  }

  @Test func `No names and no requests are the end`() {
    let notifications = Recorder<Notification, Never>()
    NotificationCenter().publisher(for: [Notification.Name]()).subscribe(notifications)
    #expect(notifications.isFinished)
    let answers = Recorder<URLSession.DataTaskPublisher.Output, URLError>()
    URLSession.shared.dataTaskPublisher(for: [URL]()).subscribe(answers)
    #expect(answers.isFinished)
  }

  @Test func `Every request is answered, and then comes the end`() {
    let server = LoopbackServer { $0.answer(200, "water") }
    let recorder = Recorder<URLSession.DataTaskPublisher.Output, URLError>()
    let done = Gate()
    recorder.onCompletion = { _ in done.open() }
    URLSession.shared.dataTaskPublisher(for: [server.url("/a"), server.url("/b")]).subscribe(recorder)
    done.wait()
    #expect(recorder.values.map { String(decoding: $0.data, as: UTF8.self) } == ["water", "water"])
    #expect(recorder.isFinished)
    #expect(Set(server.paths) == ["/a", "/b"])
  }
}
