// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calls a kernel of any type from `@_noLocks` code; that call is vouched for in this file. Render thread.

import CRealtimeShims

/// A kernel as the render core holds it: an address, and memory for the arguments.
///
/// The core is `@_noLocks`, but a call through a class is not, because the compiler cannot see its target. So the call goes
/// through one C function that carries the attribute, to one of the functions below. Each calls kernel methods that carry it
/// again. No reference is counted on the way.
struct VouchedKernel: ~Copyable {
    private struct Arguments {
        /// Not an optional: unoptimised code would look its type up, under a lock, while it renders.
        var block: RenderBlock
        var change = ParameterChange(address: 0, value: 0)
        var message = MIDIMessage(low: 0, byteCount: 0)
        var delays = KernelDelays(latency: 0, tail: 0)
        var isBypassed = false
    }

    /// Nil after `release`.
    private var box: UnsafeMutableRawPointer?
    private let arguments: UnsafeMutablePointer<Arguments>

    /// Retains `kernel`; `block` describes every block to it.
    init(_ kernel: KernelBox, block: RenderBlock) {
        box = Unmanaged.passRetained(kernel).toOpaque()
        arguments = .allocate(capacity: 1)
        arguments.initialize(to: Arguments(block: block))
    }

    deinit {
        arguments.deallocate()
        if let box { Unmanaged<KernelBox>.fromOpaque(box).release() }
    }

    /// `[render]` Gives the kernel away; call only `adopt` after this.
    @_noLocks
    mutating func release() -> UnsafeMutableRawPointer? {
        let released = box
        box = nil
        return released
    }

    /// `[render]` Takes over a kernel that has been retained for it.
    @_noLocks
    mutating func adopt(_ retained: UnsafeMutableRawPointer) { box = retained }

    @_noLocks
    func apply(_ change: ParameterChange) {
        arguments.pointee.change = change
        CRealtimeShims_call(
            { box, arguments in VouchedKernel.with(box, arguments) { $0.apply($1.pointee.change) } }, box, arguments)
    }

    @_noLocks
    func handle(_ message: MIDIMessage) {
        arguments.pointee.message = message
        CRealtimeShims_call(
            { box, arguments in VouchedKernel.with(box, arguments) { $0.handle($1.pointee.message) } }, box, arguments)
    }

    /// `[render]` Renders what the block now describes.
    @inline(__always) @_noLocks
    func render() -> KernelDelays {
        CRealtimeShims_call(
            { box, arguments in VouchedKernel.with(box, arguments) { $1.pointee.delays = $0.render($1.pointee.block) } },
            box, arguments)
        return arguments.pointee.delays
    }

    @_noLocks
    func reset() {
        CRealtimeShims_call({ box, arguments in VouchedKernel.with(box, arguments) { box, _ in box.reset() } }, box, arguments)
    }

    @_noLocks
    func setBypassed(_ isBypassed: Bool) {
        arguments.pointee.isBypassed = isBypassed
        CRealtimeShims_call(
            { box, arguments in VouchedKernel.with(box, arguments) { $0.setBypassed($1.pointee.isBypassed) } }, box, arguments)
    }

    @_noLocks
    func delays() -> KernelDelays {
        CRealtimeShims_call(
            { box, arguments in VouchedKernel.with(box, arguments) { $1.pointee.delays = $0.delays } }, box, arguments)
        return arguments.pointee.delays
    }

    @inline(__always)
    private static func with(
        _ box: UnsafeMutableRawPointer?, _ arguments: UnsafeRawPointer?,
        _ body: (KernelBox, UnsafeMutablePointer<Arguments>) -> Void
    ) {
        let arguments = UnsafeMutableRawPointer(mutating: arguments.unsafelyUnwrapped)
        Unmanaged<KernelBox>.fromOpaque(box.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
            body($0, arguments.assumingMemoryBound(to: Arguments.self))
        }
    }
}
