// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a plug-in author writes: a description, a parameter tree and a kernel. Control and render threads.

/// A unit. The type says what it is; an instance is its kernel, made when resources are allocated.
public protocol Kernel: RenderKernel, ~Copyable {
    static var description: UnitDescription { get }
    static var parameters: ParameterTree { get }
    static var factoryPresets: [FactoryPreset] { get }

    /// `[control]` Allocates everything. Throw `UnitError.formatRefused` for a format that the kernel cannot take.
    ///
    /// `apply` is called for every settable parameter next, and `reset` after that.
    init(_ setup: RenderSetup) throws(UnitError)
}

/// The part of a unit that renders.
///
/// An instance lives at one address and is used by one thread at a time: `init`, `apply` and `reset` may run on
/// the control thread while nothing renders; `apply`, `handle`, `reset` and `render` run on the render
/// thread, and must be marked `@_noLocks`. Memory is allocated in `init` and freed in `deinit`.
public protocol RenderKernel: ~Copyable {
    /// `[render]` Takes a parameter change, at the frame where the next block begins. The value is in range.
    ///
    /// With `rampFrameCount` zero a kernel glides over a time of its own choice, so that nothing clicks.
    @_noLocks mutating func apply(_ change: ParameterChange)

    /// `[render]` Takes a MIDI message, at the frame where the next block begins.
    @_noLocks mutating func handle(_ message: MIDIMessage)

    /// `[render]` Renders one block.
    @_noLocks mutating func render(_ block: RenderBlock)

    /// `[render]` Forgets all sound (delay lines, tails) and stands at its parameters' targets, without gliding.
    @_noLocks mutating func reset()

    /// Whether the kernel has a bypass of its own. It is then told of the host's, and rendered all the same; any other
    /// kernel sleeps while it is bypassed, and is reset before it goes on. Read after `init`.
    var hasBypass: Bool { @_noLocks get }

    /// `[render]` Has a kernel with a bypass of its own fade to its dry signal, as late as `latencyFrameCount`, or back.
    /// Called before each block.
    @_noLocks mutating func setBypassed(_ isBypassed: Bool)

    /// Frames by which the output lags behind the input. Read after `init`, after each `render`, and after an `apply` that no block
    /// follows.
    var latencyFrameCount: Int { @_noLocks get }

    /// Frames for which sound goes on after the input fell silent; `Int.max` for ever. Read whenever the latency is.
    var tailFrameCount: Int { @_noLocks get }

    /// `[render]` Renders one block and tells the delays after it. Not for kernels to write: the one below is compiled anew for
    /// each type of kernel, so that it calls the three directly, and the runtime finds them by one call instead of three.
    mutating func _renderTellingDelays(_ block: RenderBlock) -> KernelDelays
}

/// Frames by which a kernel's output lags behind its input, and frames of sound after the input fell silent.
@frozen
public struct KernelDelays: Equatable {
    @usableFromInline var latency: Int
    @usableFromInline var tail: Int

    /// Less than none is none.
    @inlinable @_noLocks
    init(latency: Int, tail: Int) { (self.latency, self.tail) = (max(0, latency), max(0, tail)) }
}

extension Kernel where Self: ~Copyable {
    public static var factoryPresets: [FactoryPreset] { [] }
}

extension RenderKernel where Self: ~Copyable {
    @_noLocks public mutating func handle(_ message: MIDIMessage) {}
    public var hasBypass: Bool { @_noLocks get { false } }
    @_noLocks public mutating func setBypassed(_ isBypassed: Bool) {}
    public var latencyFrameCount: Int { @_noLocks get { 0 } }
    public var tailFrameCount: Int { @_noLocks get { 0 } }

    @inlinable
    public mutating func _renderTellingDelays(_ block: RenderBlock) -> KernelDelays {
        render(block)
        return KernelDelays(latency: latencyFrameCount, tail: tailFrameCount)
    }
}
