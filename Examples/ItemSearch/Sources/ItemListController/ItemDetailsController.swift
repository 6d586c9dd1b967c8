// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import ItemDatabase
public import Penstock

/// The item that has been selected, and what is known about it.
///
/// **Concurrency:** as for ``ItemListController``.
public final class ItemDetailsController: ObservableObject {
  /// The details of the item that was selected last, or why there are none; `nil` until the service has answered.
  @Published public private(set) var details: Result<(id: Item.ID, record: ItemRecord), any Error>?

  /// The item that has been selected; selecting it again asks again.
  @Published public var selection: Item.ID?

  /// Creates a controller with nothing selected.
  ///
  /// - Parameter loader: The loader that asks the service.
  public init(loader: DetailsLoader<some Scheduler>) {
    $selection
      .compactMap { $0 }
      .map { id in
        loader.loadDetails(id)
          .map { Result<_, any Error>.success((id: id, record: $0)) }
          .catch { Just(.failure($0)) }
          .map(Optional.some)
      }
      .switchToLatest()
      .assign(to: &$details)
  }
}
