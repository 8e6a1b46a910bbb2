// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds a kernel of any type behind one class, since the runtime is not generic. Render thread, through VouchedKernel.

/// A kernel of any type, at a fixed address.
///
/// The compiler cannot check generic code with `@_noLocks`, so the runtime calls this class. Its methods only pass the call
/// on to the kernel, whose own methods carry the attribute. `_renderTellingDelays` calls only such methods.
public class KernelBox {
    fileprivate init() {}

    /// Moves a kernel to a fixed address, so that a bridge can return it.
    public static func holding<K: RenderKernel & ~Copyable>(_ kernel: consuming K) -> KernelBox { BoxOf(kernel) }

    func apply(_ change: ParameterChange) {}
    func handle(_ message: MIDIMessage) {}
    func render(_ block: RenderBlock) -> KernelDelays { delays }
    func reset() {}
    func prepare() {}
    var hasBypass: Bool { false }
    func setBypassed(_ isBypassed: Bool) {}
    var delays: KernelDelays { KernelDelays(latency: 0, tail: 0) }
}

/// A kernel of one type.
private final class BoxOf<K: RenderKernel & ~Copyable>: KernelBox {
    private let kernel: UnsafeMutablePointer<K>

    init(_ made: consuming K) {
        kernel = .allocate(capacity: 1)
        kernel.initialize(to: made)
    }

    deinit {
        kernel.deinitialize(count: 1)
        kernel.deallocate()
    }

    override func apply(_ change: ParameterChange) { kernel.pointee.apply(change) }
    override func handle(_ message: MIDIMessage) { kernel.pointee.handle(message) }
    override func render(_ block: RenderBlock) -> KernelDelays { kernel.pointee._renderTellingDelays(block) }
    override func reset() { kernel.pointee.reset() }
    override func prepare() { kernel.pointee.prepare() }
    override var hasBypass: Bool { kernel.pointee.hasBypass }
    override func setBypassed(_ isBypassed: Bool) { kernel.pointee.setBypassed(isBypassed) }
    override var delays: KernelDelays {
        KernelDelays(latency: kernel.pointee.latencyFrameCount, tail: kernel.pointee.tailFrameCount)
    }
}
