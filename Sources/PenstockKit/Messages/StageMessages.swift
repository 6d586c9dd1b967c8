// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

// Only for the compiler's messages, as in the folder of that name in PenstockCore: declarations that say how a stage
// fits a publisher, in place of "no exact matches".

extension Publisher {
  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the stage has another Input or Failure: put map(_:), setFailureType(to:) or mapError(_:) before it"
  )
  public func lift<Work: ManagedStage>(_ makeStage: @escaping () -> Work)
    -> Publishers.Lifted<Work.Output, Work.Failure>
  {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the stage has another Input or Failure: put map(_:), setFailureType(to:) or mapError(_:) before it"
  )
  public func lift<Work: QueuedStage>(_ makeStage: @escaping () -> Work) -> Publishers.Lifted<Work.Output, Work.Failure>
  {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "a stage with a scheduler is for scheduled(_:)")
  public func lift<Work: ScheduledStage>(_ makeStage: @escaping () -> Work)
    -> Publishers.Lifted<Work.Output, Work.Failure>
  {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(*, unavailable, message: "a stage with a scheduler is for scheduled(_:)")
  public func lift<Work: TimedStage>(_ makeStage: @escaping () -> Work) -> Publishers.Lifted<Work.Output, Work.Failure>
  {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the stage has another Input or Failure: put map(_:), setFailureType(to:) or mapError(_:) before it"
  )
  public func scheduled<Work: ScheduledStage>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Work.Failure> {
    onlyForItsMessage()
  }

  @_documentation(visibility: internal)
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the stage has another Input or Failure: put map(_:), setFailureType(to:) or mapError(_:) before it"
  )
  public func scheduled<Work: TimedStage>(
    _ makeStage: @escaping () -> Work
  ) -> Publishers.Lifted<Work.Output, Work.Failure> {
    onlyForItsMessage()
  }
}
