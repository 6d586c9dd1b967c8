// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Foundation
import Shop

/// A shop without a screen, which prints the values that the view models publish.
@main
enum ShopDemo {
  static func main() {
    let items = ["Gate", "Pipe", "Turbine"].enumerated().map { Item(id: $0, title: $1, price: ($0 + 1) * 10) }
    let model = CatalogueModel(
      search: { text in
        Just(items.filter { text.isEmpty || $0.title.localizedCaseInsensitiveContains(text) })
          .setFailureType(to: ServiceError.self)
          .delay(for: .milliseconds(20), scheduler: RunLoop.main)
          .eraseToAnyPublisher()
      },
      pause: .milliseconds(30), scheduler: RunLoop.main)

    let isLoaded = CurrentValueSubject<Bool, Never>(false)
    var cancellables = Set<AnyCancellable>()
    model.$state
      .map { state -> String in
        switch state {
        case .idle: "idle"
        case .loading: "loading"
        case .loaded(let items): "found " + items.map(\.title).joined(separator: ", ")
        case .failed(let error): "failed: \(error)"
        }
      }
      .removeDuplicates()
      .sink { print($0) }
      .store(in: &cancellables)
    model.$state
      .compactMap { if case .loaded = $0 { true } else { nil } }
      .subscribe(isLoaded)
      .store(in: &cancellables)

    for text in ["p", "pi", "pip"] { model.query = text }
    while !isLoaded.value, RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 5)) {}

    model.add(items[1], count: 2)
    model.add(items[2])
    model.checkOut()
    print("total", model.total)
    model.history.publisher.sink { print($0) }.store(in: &cancellables)
  }
}
