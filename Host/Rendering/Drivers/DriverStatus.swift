// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A driver's rate, quantum and counts. Any thread.

/// The figures of a driver's run.
///
/// All of them may change while it runs.
public struct DriverStatus: Sendable, Equatable {
    /// The rate in frames a second.
    public var sampleRate: Double
    /// The cycle's length in frames (the quantum).
    public var quantum: Int
    /// The number of cycles rendered since the start.
    public var cycles: UInt64
    /// The number of cycles that the driver itself reports as missed (xruns), from any cause.
    public var xruns: UInt64

    /// Makes a status with these values.
    public init(sampleRate: Double, quantum: Int, cycles: UInt64, xruns: UInt64) {
        self.sampleRate = sampleRate
        self.quantum = quantum
        self.cycles = cycles
        self.xruns = xruns
    }
}
