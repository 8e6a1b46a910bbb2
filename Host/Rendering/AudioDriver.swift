// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What PipeWire, the offline renderer and the null driver have in common. Control thread.

/// The code that a driver calls once a cycle, on its real-time thread, and the context that it passes.
///
/// The function fills every frame of `cycle.outputs` and returns before the cycle's deadline. It
/// must be `@_noLocks` all the way down.
public struct RenderCallback: @unchecked Sendable {
    // SAFETY: the context is used by the driver's render thread only; its owner outlives `stop()`.
    public typealias Function = @convention(c) (_ context: UnsafeMutableRawPointer?, _ cycle: UnsafeRawPointer?) -> Void
    public let function: Function
    public let context: UnsafeMutableRawPointer

    /// `cycle` points to a `RenderCycle` for the length of the call.
    public init(function: @escaping Function, context: UnsafeMutableRawPointer) {
        self.function = function
        self.context = context
    }
}

/// How a driver runs, as far as it is known; all of it may change while it runs.
public struct DriverStatus: Sendable, Equatable {
    /// Frames a second.
    public var sampleRate: Double
    /// Frames a cycle (the quantum).
    public var quantum: Int
    /// Cycles rendered since the start.
    public var cycles: UInt64
    /// Cycles that the driver itself reports as missed (xruns), whoever missed them.
    public var xruns: UInt64

    public init(sampleRate: Double, quantum: Int, cycles: UInt64, xruns: UInt64) {
        self.sampleRate = sampleRate
        self.quantum = quantum
        self.cycles = cycles
        self.xruns = xruns
    }
}

/// Something that asks for audio at a pace of its own. `[control]` throughout.
public protocol AudioDriver: AnyObject, Sendable {
    /// Starts calling `callback` once a cycle. Returns once the first cycle can come.
    func start(_ callback: RenderCallback) throws
    /// Stops; when it returns, the callback runs no more and will not run again.
    func stop()
    var status: DriverStatus { get }
    /// The kernel's id of the thread that renders, once there is one.
    var renderThreadIdentifier: Int32? { get }
    /// Why the driver stopped by itself (a daemon that went away), or nil while all is well.
    var failure: String? { get }
    /// Has a failure write to `event`, an eventfd(2) that stays open for as long as the driver runs, from the next start on.
    func tellOfFailure(event: Int32)
}
