// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The host's clock by the names of Apple's kernel. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import LinuxSystem

/// The host's clock: CLOCK_MONOTONIC, in nanoseconds.
public func mach_absolute_time() -> UInt64 { MonotonicClock.now() }

/// The ratio of the host's clock to nanoseconds, which is 1 here.
public struct mach_timebase_info_data_t: Sendable {
    /// The numerator: 1.
    public var numer: UInt32 = 0
    /// The denominator: 1.
    public var denom: UInt32 = 0

    /// Makes a ratio that is still unknown.
    public init() {}
}

/// Writes the ratio of the host's clock to nanoseconds.
@discardableResult
public func mach_timebase_info(_ info: UnsafeMutablePointer<mach_timebase_info_data_t>) -> Int32 {
    (info.pointee.numer, info.pointee.denom) = (1, 1)
    return 0
}

/// Calls a closure; here references are counted, and no pool is needed.
public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }
