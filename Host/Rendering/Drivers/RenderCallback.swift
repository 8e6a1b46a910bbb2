// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The function that a driver calls once a cycle. Made on the control thread, called on the render thread.

/// The code that a driver calls once a cycle on its real-time thread, with its context.
///
/// `[render]` The function fills every frame of `cycle.outputs` and returns before the cycle's deadline. It and every function
/// that it calls must be `@_noLocks`.
public struct RenderCallback: @unchecked Sendable {
    // SAFETY: only the driver's render thread uses the context; the context's owner outlives `stop()`.
    /// The C function that renders one cycle.
    public typealias Function = @convention(c) (_ context: UnsafeMutableRawPointer?, _ cycle: UnsafeRawPointer?) -> Void
    /// The function to call.
    public let function: Function
    /// The first argument of each call.
    public let context: UnsafeMutableRawPointer

    /// Pairs `function` with `context`.
    ///
    /// `cycle` points to a `RenderCycle` that is valid during the call.
    public init(function: @escaping Function, context: UnsafeMutableRawPointer) {
        self.function = function
        self.context = context
    }
}
