// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  internal import CoreMetrics
  internal import PenstockCore

  /// The identity of a factory of metrics, which distinguishes it from others.
  ///
  /// The identity of a factory that is an object is the object's. Any other factory, usually a structure around an
  /// object, is identified by its memory: two values of a type with the same memory refer to the same objects.
  internal enum FactoryIdentity: Hashable, Sendable {
    case object(ObjectIdentifier)
    case value(FactoryValue)

    internal init(_ factory: any MetricsFactory) {
      if type(of: factory) is AnyObject.Type {
        self = .object(ObjectIdentifier(factory as AnyObject))
      } else {
        self = .value(FactoryValue(factory))
      }
    }
  }

  /// A copy of a factory that is not an object, which keeps alive what the factory refers to.
  internal final class FactoryValue: Hashable, @unchecked Sendable {
    // `@unchecked`: the memory is not changed, and its contents are Sendable.

    private let type: any MetricsFactory.Type
    private let memory: UnsafeMutableRawBufferPointer
    private let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    internal init<Factory: MetricsFactory>(_ factory: Factory) {
      type = Factory.self
      memory = .allocate(byteCount: MemoryLayout<Factory>.size, alignment: MemoryLayout<Factory>.alignment)
      // The padding between the properties remains zero: a copy from memory to memory copies each property separately.
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      let copy = memory.bindMemory(to: Factory.self)
      withUnsafePointer(to: factory) { factory in
        if !copy.isEmpty { copy.baseAddress?.initialize(from: factory, count: 1) }
      }
      release = { memory in
        memory.assumingMemoryBound(to: Factory.self).deinitialize()
        memory.deallocate()
      }
    }

    deinit { release(memory) }

    internal static func == (lhs: FactoryValue, rhs: FactoryValue) -> Bool {
      lhs.type == rhs.type && lhs.memory.elementsEqual(rhs.memory)
    }

    internal func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(type))
      hasher.combine(bytes: UnsafeRawBufferPointer(memory))
    }
  }

  /// Tells whether a factory that is an object still exists; if not, another object may have its place in memory.
  internal struct FactoryReference: @unchecked Sendable {
    // `@unchecked`: factories are Sendable.

    private weak var object: AnyObject?
    private let isObject: Bool

    internal init(_ factory: any MetricsFactory) {
      isObject = Swift.type(of: factory) is AnyObject.Type
      object = isObject ? factory as AnyObject : nil
    }

    internal var isAlive: Bool { !isObject || object != nil }
  }
#endif
