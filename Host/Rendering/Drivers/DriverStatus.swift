// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A driver's rate, quantum and counts. Any thread.

/// What is known of a driver's run.
///
/// All of it may change while it runs.
public struct DriverStatus: Sendable, Equatable {
    /// The rate in frames a second.
    public var sampleRate: Double
    /// The cycle's length in frames (the quantum).
    public var quantum: Int
    /// The cycles rendered since the start.
    public var cycles: UInt64
    /// The cycles that the driver itself reports as missed (xruns), whatever the cause.
    public var xruns: UInt64

    /// A status with these values.
    public init(sampleRate: Double, quantum: Int, cycles: UInt64, xruns: UInt64) {
        self.sampleRate = sampleRate
        self.quantum = quantum
        self.cycles = cycles
        self.xruns = xruns
    }
}
