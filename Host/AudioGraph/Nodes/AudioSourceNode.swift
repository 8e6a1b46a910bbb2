// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Nodes whose sound the program makes or takes, in a closure or in a type of its own. Both run on the render thread.

import Realtime
import Rendering

/// Makes the sound of a source, in a type that the compiler checks.
///
/// Its state is its own: one thread at a time calls it. `@_noLocks` makes it an error to allocate, lock or count references.
public protocol AudioGenerator: ~Copyable {
    /// `[render]` Fills `output` from `sampleTime` on; returns true if all of it is silence.
    ///
    /// The block is silent before.
    @_noLocks mutating func render(_ output: AudioBlock, at sampleTime: Int64) -> Bool
}

/// Takes the sound of a sink, in a type that the compiler checks.
///
/// All else is as for `AudioGenerator`.
public protocol AudioReceiver: ~Copyable {
    /// `[render]` Takes `input`, which begins at `sampleTime`; with `isSilence` all samples are zero.
    @_noLocks mutating func receive(_ input: AudioBlock, isSilence: Bool, at sampleTime: Int64)
}

/// A source whose sound a closure or an `AudioGenerator` makes.
open class AudioSourceNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Renders `output.frameCount` frames from `sampleTime` on.
    ///
    /// `[render]` It must neither allocate, lock nor wait, and captures all that it needs. The block is silent before. If the closure sets
    /// `isSilence`, the samples are not read.
    public typealias RenderBlock = (_ isSilence: inout Bool, _ sampleTime: Int64, _ output: AudioBlock) -> Void

    /// Makes a source in `format`, or else in the format of its connection.
    public init(format: AudioFormat? = nil, renderBlock: @escaping RenderBlock) {
        super.init(name: "Source", body: Self.body(SourceClosure(renderBlock), format))
    }

    /// Makes a source of a closure that tells of its errors by `status`.
    package init(format: AudioFormat?, status: BlockStatus, renderBlock: @escaping RenderBlock) {
        super.init(name: "Source", body: Self.body(SourceClosure(renderBlock), format, status))
    }

    /// Makes a source of a generator, which belongs to the source from now on.
    public init<Generator: AudioGenerator & Sendable & ~Copyable>(_ generator: consuming Generator, format: AudioFormat? = nil) {
        super.init(name: "Source", body: Self.body(GeneratorBox(generator), format))
    }

    private static func body(_ box: ProgramBox, _ format: AudioFormat?, _ status: BlockStatus? = nil) -> SteadyBody {
        SteadyBody(ProgramNode(box), mixing: MixingSettings(), format: format, status: status)
    }
}

/// A sink whose sound a closure or an `AudioReceiver` takes.
///
/// It renders as long as something is connected to it, also without a path to the output.
open class AudioSinkNode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Takes `input.frameCount` frames from `sampleTime` on.
    ///
    /// `[render]` It must neither allocate, lock nor wait, and captures all that it needs. With `isSilence` all samples are zero.
    public typealias ReceiverBlock = (_ isSilence: Bool, _ sampleTime: Int64, _ input: AudioBlock) -> Void

    /// Makes a sink in the format of its connection.
    public init(receiverBlock: @escaping ReceiverBlock) {
        super.init(name: "Sink", body: Self.body(SinkClosure(receiverBlock)))
    }

    /// Makes a sink of a receiver, which belongs to the sink from now on.
    public init<Receiver: AudioReceiver & Sendable & ~Copyable>(_ receiver: consuming Receiver) {
        super.init(name: "Sink", body: Self.body(ReceiverBox(receiver)))
    }

    private static func body(_ box: ProgramBox) -> SteadyBody { SteadyBody(ProgramNode(box), inputCount: 1, outputCount: 0) }
}

// MARK: - Render thread

/// Holds the program's closure or value behind one class: the compiler cannot check generic code with `@_noLocks`.
private class ProgramBox: @unchecked Sendable {
    // SAFETY: only the render thread calls `render`.
    func render(_ call: NodeCall) {}
}

private final class SourceClosure: ProgramBox, @unchecked Sendable {
    // SAFETY: as for the base; the program promises that its closure may be called there.
    private let body: AudioSourceNode.RenderBlock

    init(_ body: @escaping AudioSourceNode.RenderBlock) { self.body = body }

    override func render(_ call: NodeCall) {
        call.output.silence()
        var isSilence = false
        body(&isSilence, call.cycle.pointee.sampleTime, call.output)
        call.outputs.pointee.isSilent = isSilence
    }
}

private final class SinkClosure: ProgramBox, @unchecked Sendable {
    // SAFETY: as for the base; the program promises that its closure may be called there.
    private let body: AudioSinkNode.ReceiverBlock

    init(_ body: @escaping AudioSinkNode.ReceiverBlock) { self.body = body }

    override func render(_ call: NodeCall) {
        let input = call.inputs.pointee
        body(input.isSilent, call.cycle.pointee.sampleTime, input.block)
    }
}

private final class GeneratorBox<Generator: AudioGenerator & Sendable & ~Copyable>: ProgramBox, @unchecked Sendable {
    // SAFETY: as for the base.
    private let generator: UnsafeMutablePointer<Generator>

    init(_ made: consuming Generator) {
        generator = .allocate(capacity: 1)
        generator.initialize(to: made)
    }

    deinit {
        generator.deinitialize(count: 1)
        generator.deallocate()
    }

    override func render(_ call: NodeCall) {
        call.output.silence()
        call.outputs.pointee.isSilent = generator.pointee.render(call.output, at: call.cycle.pointee.sampleTime)
    }
}

private final class ReceiverBox<Receiver: AudioReceiver & Sendable & ~Copyable>: ProgramBox, @unchecked Sendable {
    // SAFETY: as for the base.
    private let receiver: UnsafeMutablePointer<Receiver>

    init(_ made: consuming Receiver) {
        receiver = .allocate(capacity: 1)
        receiver.initialize(to: made)
    }

    deinit {
        receiver.deinitialize(count: 1)
        receiver.deallocate()
    }

    override func render(_ call: NodeCall) {
        let input = call.inputs.pointee
        receiver.pointee.receive(input.block, isSilence: input.isSilent, at: call.cycle.pointee.sampleTime)
    }
}

/// Calls the program's closure or value.
private final class ProgramNode: RenderNode {
    private let box: ProgramBox

    init(_ box: ProgramBox) { self.box = box }

    var renderContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(box).toOpaque() }

    var renderFunction: Function {
        { context, call in
            guard let context, let argument = call else { return }
            let call = argument.assumingMemoryBound(to: NodeCall.self).pointee
            // This way counts no references.
            Unmanaged<ProgramBox>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.render(call) }
        }
    }
}
