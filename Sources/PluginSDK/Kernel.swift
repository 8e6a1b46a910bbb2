// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The interface of a plug-in: a description, a parameter tree and a kernel. Control and render threads.

/// A unit: the type describes it, and an instance renders.
///
/// The instance is the unit's kernel, made when resources are allocated. A library exports it like this:
///
///     @c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { MyKernel.exported }
public protocol Kernel: RenderKernel, ~Copyable {
    /// `[control]` Describes the unit: its identity, name, version and buses.
    static var description: UnitDescription { get }
    /// `[control]` The parameters, whose shape and identifiers do not change while the unit exists.
    static var parameters: ParameterTree { get }
    /// `[control]` The presets that come with the unit; none by default.
    static var factoryPresets: [FactoryPreset] { get }
    /// `[control]` True if a host's reset replaces the kernel by a new one; false by default.
    ///
    /// For a kernel around a library that cannot forget its sound. A separate thread makes the new kernel, as for bridged
    /// units. Silence is heard until the kernel is ready. `reset` is still called after `init` and after a bypass.
    static var isRemadeByReset: Bool { get }
    /// `[control]` The unit's view; nil, the default, for a unit whose parameters the host shows in its own way.
    static var view: (any View.Type)? { get }

    /// `[control]` Makes a kernel, and allocates all that it renders with.
    ///
    /// `apply` is called next for every settable parameter, and then `reset`. Throw `UnitError.formatRefused` for a format that
    /// the kernel cannot take.
    init(_ setup: RenderSetup) throws(UnitError)
}

/// The part of a unit that renders.
///
/// An instance stays at one address, and one thread at a time uses it. While nothing renders, `init`, `apply` and `reset`
/// may run on the control thread. Otherwise `apply`, `handle`, `reset` and `render` run on the render thread.
///
/// Mark everything that may run on the render thread `@_noLocks`. Allocate memory in `init` and free it in `deinit`.
public protocol RenderKernel: ~Copyable {
    /// `[render]` Takes a parameter change at the first frame of the next block.
    ///
    /// The value lies in the parameter's range. If `rampFrameCount` is zero, glide over a time of your own choice, so that
    /// nothing clicks. Otherwise the next frame still has the old value, and the first frame with the new one follows
    /// `rampFrameCount` frames later. `SmoothedValue` does that.
    @_noLocks mutating func apply(_ change: ParameterChange)

    /// `[render]` Takes a MIDI message at the first frame of the next block; by default it does nothing.
    @_noLocks mutating func handle(_ message: MIDIMessage)

    /// `[render]` Renders one block: writes every frame of every output channel.
    @_noLocks mutating func render(_ block: RenderBlock)

    /// `[render]` Forgets all sound, such as delay lines and tails, and jumps to the targets of all parameters.
    @_noLocks mutating func reset()

    /// `[control]` Gets ready for the first block, after the first `reset`; by default it does nothing.
    ///
    /// For a kernel that knows its latency only once it has rendered, or whose own threads have something to finish. It may
    /// take its time and allocate memory.
    ///
    /// A kernel that replaces another during rendering is prepared with the values of that moment. Then it gets the present
    /// values, and one more `reset`.
    mutating func prepare()

    /// `[control]` True if the kernel fades to its own dry signal when it is bypassed; false by default.
    ///
    /// Such a kernel learns of the host's bypass and renders on. Any other kernel does not render while it is bypassed, and is reset before
    /// it renders again. Read once, after `init`.
    var hasBypass: Bool { @_noLocks get }

    /// `[render]` Tells a kernel with a bypass of its own to fade to its dry signal, or back.
    ///
    /// Delay the dry signal by `latencyFrameCount`. Called before each block; by default it does nothing.
    @_noLocks mutating func setBypassed(_ isBypassed: Bool)

    /// `[render]` The number of frames by which the output lags behind the input; zero by default.
    ///
    /// Read after `init`, after each `render`, and after an `apply` that no block follows.
    var latencyFrameCount: Int { @_noLocks get }

    /// `[render]` The frames of sound after the input has become silent; zero by default, `Int.max` for ever.
    ///
    /// Read whenever the latency is.
    var tailFrameCount: Int { @_noLocks get }

    /// `[render]` Renders one block and returns the delays after it; do not implement it.
    ///
    /// The default implementation is compiled for each type of kernel. It calls `render` and both delays directly, so the
    /// runtime makes one indirect call instead of three.
    mutating func _renderTellingDelays(_ block: RenderBlock) -> KernelDelays
}

/// The latency and the tail of a kernel, in frames.
@frozen
public struct KernelDelays: Equatable {
    @usableFromInline var latency: Int
    @usableFromInline var tail: Int

    /// Negative numbers count as zero.
    @inlinable @_noLocks
    init(latency: Int, tail: Int) { (self.latency, self.tail) = (max(0, latency), max(0, tail)) }
}

extension Kernel where Self: ~Copyable {
    /// No factory presets.
    public static var factoryPresets: [FactoryPreset] { [] }
    /// False: `reset` makes the kernel forget.
    public static var isRemadeByReset: Bool { false }
    /// No view of its own.
    public static var view: (any View.Type)? { nil }
}

extension RenderKernel where Self: ~Copyable {
    /// `[control]` Does nothing.
    public mutating func prepare() {}
    /// `[render]` Ignores the message.
    @_noLocks public mutating func handle(_ message: MIDIMessage) {}
    /// False: the runtime plays the dry signal and does not render the kernel meanwhile.
    public var hasBypass: Bool { @_noLocks get { false } }
    /// `[render]` Does nothing, for a kernel without a bypass of its own.
    @_noLocks public mutating func setBypassed(_ isBypassed: Bool) {}
    /// `[render]` Zero: the output does not lag behind the input.
    public var latencyFrameCount: Int { @_noLocks get { 0 } }
    /// `[render]` Zero: sound ends with the input.
    public var tailFrameCount: Int { @_noLocks get { 0 } }

    /// `[render]` Renders one block and returns the delays after it.
    @inlinable
    public mutating func _renderTellingDelays(_ block: RenderBlock) -> KernelDelays {
        render(block)
        return KernelDelays(latency: latencyFrameCount, tail: tailFrameCount)
    }
}
