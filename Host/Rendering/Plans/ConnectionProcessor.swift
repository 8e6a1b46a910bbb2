// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Something that a connection puts its source through on the way into the bus. Control thread; its function is the render thread's.

import CRealtimeShims

/// A panner, a filter of a head, an effect of a single connection.
///
/// The plan calls it by a function and a context, as it calls a node. What it knows belongs to the connection, and lives on from plan to
/// plan. A node may call the same processor for a voice of its own: see `ConnectionFunction`.
///
/// `[render]` `processFunction` gets a context and a pointer to a `ConnectionCall`, and must be `@_noLocks` all the way down. It is called
/// in each cycle, and in those in which the source is silent, too: values glide on, and a tail is heard to its end.
public protocol ConnectionProcessor: AnyObject, Sendable {
    /// The C function that processes a cycle.
    typealias Function = CRealtimeShims_RenderFunction
    /// The function to call for each cycle.
    var processFunction: Function { get }
    /// The frames by which what it adds lags behind its source.
    ///
    /// Each plan takes it when it is compiled, and delays what else leads to the same node by so much. An engine looks at it while it plays,
    /// and compiles another plan when it has changed; so any thread may ask for it at any time.
    var latencyFrameCount: Int { get }
    /// How many blocks of scratch memory a call uses, each as long as the longest cycle.
    var scratchBlockCount: Int { get }
    /// `[control]` Gives the first argument of each call in a plan in which the connection has this shape.
    ///
    /// Whoever compiles the plan calls it, so here memory is allocated. What earlier plans use has to stay as it is: they may still be
    /// rendered, and hand over to the new one between two cycles.
    func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer
}

extension ConnectionProcessor {
    /// No latency, unless the processor has its own.
    public var latencyFrameCount: Int { 0 }
    /// No scratch memory, unless the processor wants some.
    public var scratchBlockCount: Int { 0 }
}

/// What a plan knows of a connection that has a processor.
public struct ConnectionShape: Hashable, Sendable {
    /// The channels of the source.
    public var sourceChannelCount: Int
    /// The channels of the bus that it leads to.
    public var channelCount: Int
    /// Frames a second.
    public var sampleRate: Double
    /// The frames of the longest cycle.
    public var maximumFrameCount: Int

    /// A shape.
    public init(sourceChannelCount: Int, channelCount: Int, sampleRate: Double, maximumFrameCount: Int) {
        (self.sourceChannelCount, self.channelCount) = (sourceChannelCount, channelCount)
        (self.sampleRate, self.maximumFrameCount) = (sampleRate, maximumFrameCount)
    }
}

/// A processor as the render thread calls it, for a connection or for a voice of a node.
///
/// It keeps nothing alive: the plan, or the node, holds the processor.
public struct ConnectionFunction {
    private let function: ConnectionProcessor.Function
    private let context: UnsafeMutableRawPointer

    /// `[control]` The function of a processor for a connection, or a voice, of a shape.
    public init(_ processor: any ConnectionProcessor, for shape: ConnectionShape) {
        (function, context) = (processor.processFunction, processor.processContext(for: shape))
    }

    /// `[render]` Processes a cycle.
    @_noLocks
    public func process(_ call: UnsafePointer<ConnectionCall>) { CRealtimeShims_call(function, context, call) }
}
