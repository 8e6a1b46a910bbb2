// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A processor of a connection's signal on the way into the bus. Control thread; its function is the render thread's.

import AudioFormats
import CRealtimeShims

/// A panner, a filter of a head, an effect of a single connection.
///
/// The plan calls it through a function and a context, as it calls a node. Its state belongs to the connection, and survives
/// changes of the plan. A node may call the same processor for a voice of its own: see `ConnectionFunction`.
///
/// `[render]` `processFunction` gets a context and a pointer to a `ConnectionCall`. It and every function that it calls must be
/// `@_noLocks`. The plan calls it in each cycle, also while the source is silent: values glide on, and a tail is heard to its
/// end.
public protocol ConnectionProcessor: AnyObject, Sendable {
    /// The C function that processes a cycle.
    typealias Function = CRealtimeShims_RenderFunction
    /// The function to call for each cycle.
    var processFunction: Function { get }
    /// The delay of its output behind its source, in frames.
    ///
    /// Each plan takes it when it is compiled, and delays the other signals to the same node by as much. The engine reads it while it
    /// plays, and compiles another plan when it has changed. So any thread may ask for it at any time.
    var latencyFrameCount: Int { get }
    /// The number of scratch blocks for a call, each as long as the longest cycle.
    var scratchBlockCount: Int { get }
    /// `[control]` Returns the first argument of each call in a plan in which the connection has this shape.
    ///
    /// The compiler of a plan calls it, so it may allocate memory. The memory of earlier plans must not change: they may still be
    /// rendered, and hand over to the new one between two cycles.
    func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer
}

extension ConnectionProcessor {
    /// 0, unless the processor has a latency.
    public var latencyFrameCount: Int { 0 }
    /// 0, unless the processor needs scratch memory.
    public var scratchBlockCount: Int { 0 }
}

/// The channels, the rate and the cycles of a connection with a processor.
public struct ConnectionShape: Hashable, Sendable {
    /// The channels of the source.
    public var sourceChannelCount: Int
    /// The channels of the destination bus.
    public var channelCount: Int
    /// Frames a second.
    public var sampleRate: Double
    /// The frames of the longest cycle.
    public var maximumFrameCount: Int
    /// The speakers of the source's channels; nil if only their number is known.
    public var sourceLayout: ChannelLayout?

    /// Makes a shape.
    public init(
        sourceChannelCount: Int, channelCount: Int, sampleRate: Double, maximumFrameCount: Int, sourceLayout: ChannelLayout? = nil
    ) {
        self.sourceLayout = sourceLayout
        (self.sourceChannelCount, self.channelCount) = (sourceChannelCount, channelCount)
        (self.sampleRate, self.maximumFrameCount) = (sampleRate, maximumFrameCount)
    }
}

/// A processor for calls on the render thread, for a connection or for a voice of a node.
///
/// It keeps nothing alive: the plan, or the node, holds the processor.
public struct ConnectionFunction {
    private let function: ConnectionProcessor.Function
    private let context: UnsafeMutableRawPointer

    /// `[control]` Takes the function of a processor for a connection, or a voice, of a shape.
    public init(_ processor: any ConnectionProcessor, for shape: ConnectionShape) {
        (function, context) = (processor.processFunction, processor.processContext(for: shape))
    }

    /// `[render]` Processes a cycle.
    @_noLocks
    public func process(_ call: UnsafePointer<ConnectionCall>) { CRealtimeShims_call(function, context, call) }
}
