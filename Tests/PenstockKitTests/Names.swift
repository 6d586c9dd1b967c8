// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

// A client sees only the kit's names. These tests are part of the package, and would see the engine's under the same names, too.
typealias TransparentStage = PenstockKit.TransparentStage
typealias ManagedStage = PenstockKit.ManagedStage
typealias QueuedStage = PenstockKit.QueuedStage
typealias SteeredStage = PenstockKit.SteeredStage
typealias ScheduledStage = PenstockKit.ScheduledStage
typealias SequentialRule = PenstockKit.SequentialRule
typealias SourceStage = PenstockKit.SourceStage
typealias Verdict = PenstockKit.Verdict
typealias Outputs = PenstockKit.Outputs
typealias QueuedDemand = PenstockKit.QueuedDemand
typealias SteeredDemand = PenstockKit.SteeredDemand
typealias SequentialStep = PenstockKit.SequentialStep
typealias TimedStage = PenstockKit.TimedStage
typealias CallbackStage = PenstockKit.CallbackStage
typealias Callback = PenstockKit.Callback
