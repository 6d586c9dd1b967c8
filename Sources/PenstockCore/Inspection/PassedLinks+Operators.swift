// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

// The role of each type of subscribers in a chain; see ``PassedLink``.

extension TransparentSubscriber: PassedLink {
  @usableFromInline
  package static func tell(_ links: inout PassedLinks) {
    links.names.append(Work.name)
    links.add(Downstream.self)
  }
}

extension SinkResident: PassedLink {
  @usableFromInline
  package static func tell(_ links: inout PassedLinks) { links.end = "Sink" }
}

extension AnySubscriber: PassedLink {
  @usableFromInline
  package static func tell(_ links: inout PassedLinks) { links.isErased = true }
}

extension IntrospectionTap: PassedLink {
  internal static func tell(_ links: inout PassedLinks) { links.isErased = true }
}

extension ManagedResident: PassedLink {
  @usableFromInline
  package static func tell(_ links: inout PassedLinks) {
    links.names.append(Work.name)
    links.add(Downstream.self)
  }
}

extension ObservingSubscriber: PassedLink {
  @usableFromInline
  package static func tell(_ links: inout PassedLinks) {
    links.names.append(Work.name)
    links.add(Downstream.self)
  }
}

extension AutoconnectLink: PassedLink {
  @usableFromInline
  package static func tell(_ links: inout PassedLinks) { links.add(Downstream.self) }
}

extension MulticastLink: PassedLink {
  @usableFromInline
  package static func tell(_ links: inout PassedLinks) {
    links.names.append("Multicast")
    links.add(Downstream.self)
  }
}

extension BreakpointSubscriber: PassedLink {
  @usableFromInline
  package static func tell(_ links: inout PassedLinks) {
    links.names.append("Breakpoint")
    links.add(Downstream.self)
  }
}

// MARK: Objects

// An extension of the base class, and not a conformance of each subclass: the compiler would emit it for every generic one.
extension BaseSubscription: InspectableSubscriber {}
extension InletSubscriber: InspectableSubscriber {}
extension ReplacementSubscriber: InspectableSubscriber {}

// MARK: Erasures

extension ErasedSubscriber: InspectableLink, KeptSubscriber {
  package var linkNumber: UInt64 { enrolment.number }

  /// It is no link of its own: it adds the operators that follow those that its upstream knows.
  package func show(in link: inout LinkState) {
    link.isErasure = true
    link.erasedNumber = UInt64(upstreamNumber.load(ordering: .relaxed))
    link.passed = passed
  }
}
