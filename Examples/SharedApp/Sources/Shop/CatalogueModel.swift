// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Foundation

/// The state of the list on the screen.
public enum Loading<Value: Equatable>: Equatable {
  case idle
  case loading
  case loaded(Value)
  case failed(ServiceError)
}

/// The view model of a list with a search field.
open class ListModel: ObservableObject {
  @Published public var query = ""
  @Published public private(set) var state = Loading<[Item]>.idle

  /// Sent when the user pulls the list.
  public let refresh = PassthroughSubject<Void, Never>()

  var cancellables = Set<AnyCancellable>()

  public init<S: Scheduler>(
    search: @escaping (String) -> AnyPublisher<[Item], ServiceError>, pause: S.SchedulerTimeType.Stride, scheduler: S
  ) {
    let typed =
      $query
      .removeDuplicates()
      .debounce(for: pause, scheduler: scheduler)
    let repeated = refresh.map { [unowned self] in query }

    typed.merge(with: repeated)
      .map { query in
        search(query)
          .map(Loading.loaded)
          .catch { Just(Loading.failed($0)) }
          .prepend(.loading)
      }
      .switchToLatest()
      .receive(on: scheduler)
      .sink { [weak self] in self?.state = $0 }
      .store(in: &cancellables)
  }
}

/// The view model of the shop: its properties and those of the class above notify the same subscribers.
public final class CatalogueModel: ListModel {
  @Published public private(set) var total = 0
  @Published public private(set) var history: [String] = []

  private let choices = PassthroughSubject<(item: Item, count: Int), Never>()
  private let closed = PassthroughSubject<Void, Never>()

  public override init<S: Scheduler>(
    search: @escaping (String) -> AnyPublisher<[Item], ServiceError>, pause: S.SchedulerTimeType.Stride, scheduler: S
  ) {
    super.init(search: search, pause: pause, scheduler: scheduler)

    choices
      .prefix(untilOutputFrom: closed)
      .scan(0) { $0 + $1.item.price * $1.count }
      .assign(to: \.total, on: self)
      .store(in: &cancellables)

    choices
      .zip((1...100).publisher) { choice, number in "\(number). \(choice.count) × \(choice.item.title)" }
      .collect(2)
      .sink { [unowned self] in history += $0 }
      .store(in: &cancellables)
  }

  public func add(_ item: Item, count: Int = 1) { choices.send((item, count)) }

  /// Completes the purchase; the total stays.
  public func checkOut() {
    closed.send()
    choices.send(completion: .finished)
  }
}

extension Notification.Name {
  /// Posted when the stock has changed; the object is the shop.
  public static let stockChanged = Notification.Name("stockChanged")
}

/// Counts what happens in a shop, from the notification centre and a clock.
public final class Monitor: ObservableObject {
  /// Its own publisher: changes are announced at most once for several.
  public let objectWillChange = PassthroughSubject<Void, Never>()

  public private(set) var changes = 0 {
    willSet { objectWillChange.send() }
  }

  private var cancellables: [AnyCancellable] = []

  public init(center: NotificationCenter, clock: some Publisher<Date, Never>) {
    let posted = center.publisher(for: .stockChanged).map { _ in () }
    posted.merge(with: clock.map { _ in () })
      .sink { [weak self] in self?.changes += 1 }
      .store(in: &cancellables)
  }
}
