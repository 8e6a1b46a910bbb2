// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sleeps until something happens to one of several descriptors. Any thread but a render thread.

import CLinuxShims
import Glibc

/// The events of a descriptor; the kernel reports hang-ups and failures in any case.
public struct DescriptorEvents: OptionSet, Sendable {
    /// The bits of poll(2).
    public let rawValue: Int16

    /// The events of these bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// It can be read without waiting.
    public static let input = DescriptorEvents(rawValue: Int16(POLLIN))
    /// It can be written without waiting.
    public static let output = DescriptorEvents(rawValue: Int16(POLLOUT))
    /// The peer has hung up.
    public static let hangUp = DescriptorEvents(rawValue: Int16(POLLHUP))
    /// It has failed, or is not a descriptor.
    public static let failure = DescriptorEvents(rawValue: Int16(POLLERR | POLLNVAL))
}

/// A descriptor to wait for.
public struct AwaitedDescriptor: Sendable {
    /// Its number; a negative one has no events.
    public var number: Int32
    /// The events to wait for.
    public var events: DescriptorEvents

    /// A descriptor and the events to wait for.
    public init(_ number: Int32, _ events: DescriptorEvents = .input) { (self.number, self.events) = (number, events) }
}

extension Descriptor {
    /// Sleeps until one of the descriptors has an event, or `nanoseconds` have passed; nil sets no limit.
    ///
    /// A signal does not end the sleep. Returns the events of each descriptor: a failure of each, if the kernel cannot wait for so many;
    /// `errno` then has the reason.
    @discardableResult
    public static func wait(for descriptors: [AwaitedDescriptor], nanoseconds: UInt64?) -> [DescriptorEvents] {
        var polled = descriptors.map { pollfd(fd: $0.number, events: $0.events.rawValue, revents: 0) }
        let end = nanoseconds.map { MonotonicClock.now().addingReportingOverflow($0) }.map { $0.overflow ? .max : $0.partialValue }
        var left = nanoseconds.map { Int64(clamping: $0) } ?? -1
        while CLinuxShims_poll(&polled, UInt(polled.count), left) < 0 {
            guard errno == EINTR else { return descriptors.map { $0.number < 0 ? [] : .failure } }
            let now = MonotonicClock.now()
            if let end { left = Int64(clamping: max(end, now) - now) }
        }
        return polled.map { DescriptorEvents(rawValue: $0.revents) }
    }

    /// Sleeps until one of `numbers` can be read, or `nanoseconds` have passed; nil sets no limit.
    ///
    /// Returns the indices of those that can be read.
    @discardableResult
    public static func awaitAny(_ numbers: [Int32], nanoseconds: UInt64?) -> [Int] {
        let events = wait(for: numbers.map { AwaitedDescriptor($0) }, nanoseconds: nanoseconds)
        return events.indices.filter { !events[$0].isEmpty }
    }
}
