// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Nodes whose sound the program makes or takes, in a closure or in a type of its own. Both run on the render thread.

import Realtime
import Rendering

/// What makes the sound of a source, in a type that the compiler checks.
///
/// Its state is its own: one thread at a time calls it. `@_noLocks` makes it an error to allocate, lock or count references.
public protocol AudioGenerator: ~Copyable {
    /// `[render]` Fills `output` from `sampleTime` on; true if all of it is silence.
    ///
    /// The block is silent before.
    @_noLocks mutating func render(_ output: AudioBlock, at sampleTime: Int64) -> Bool
}

/// What takes the sound of a sink, in a type that the compiler checks.
///
/// All else is as for `AudioGenerator`.
public protocol AudioReceiver: ~Copyable {
    /// `[render]` Takes `input`, which begins at `sampleTime` and is all silence if `isSilence` says so.
    @_noLocks mutating func receive(_ input: AudioBlock, isSilence: Bool, at sampleTime: Int64)
}

/// A source whose sound a closure or an `AudioGenerator` makes.
open class AudioSourceNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Renders `output.frameCount` frames from `sampleTime` on.
    ///
    /// `[render]` It must neither allocate, lock nor wait, and takes all that it needs along. The block is silent before. With
    /// `isSilence` set nothing of it is read.
    public typealias RenderBlock = (_ isSilence: inout Bool, _ sampleTime: Int64, _ output: AudioBlock) -> Void

    /// A source in the format that it is connected with, or in `format`.
    public init(format: AudioFormat? = nil, renderBlock: @escaping RenderBlock) {
        super.init(name: "Source", body: Self.body(SourceClosure(renderBlock), format))
    }

    /// A source of a generator, which belongs to the source from now on.
    public init<Generator: AudioGenerator & Sendable & ~Copyable>(_ generator: consuming Generator, format: AudioFormat? = nil) {
        super.init(name: "Source", body: Self.body(GeneratorBox(generator), format))
    }

    private static func body(_ box: ProgramBox, _ format: AudioFormat?) -> SteadyBody {
        SteadyBody(ProgramNode(box), mixing: MixingSettings(), format: format)
    }
}

/// A sink whose sound a closure or an `AudioReceiver` takes.
///
/// It is rendered as long as something is connected to it, whether or not anything leads to the output.
open class AudioSinkNode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Takes `input.frameCount` frames from `sampleTime` on.
    ///
    /// `[render]` It must neither allocate, lock nor wait, and takes all that it needs along. With `isSilence` all samples are zero.
    public typealias ReceiverBlock = (_ isSilence: Bool, _ sampleTime: Int64, _ input: AudioBlock) -> Void

    /// A sink in the format that it is connected with.
    public init(receiverBlock: @escaping ReceiverBlock) {
        super.init(name: "Sink", body: Self.body(SinkClosure(receiverBlock)))
    }

    /// A sink of a receiver, which belongs to the sink from now on.
    public init<Receiver: AudioReceiver & Sendable & ~Copyable>(_ receiver: consuming Receiver) {
        super.init(name: "Sink", body: Self.body(ReceiverBox(receiver)))
    }

    private static func body(_ box: ProgramBox) -> SteadyBody { SteadyBody(ProgramNode(box), inputCount: 1, outputCount: 0) }
}

// MARK: - Render thread

/// What the program renders, behind one class: the compiler cannot check generic code with `@_noLocks`.
private class ProgramBox: @unchecked Sendable {
    // SAFETY: the render thread alone calls `render`.
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

/// Calls what the program renders.
private final class ProgramNode: RenderNode {
    private let box: ProgramBox

    init(_ box: ProgramBox) { self.box = box }

    var renderContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(box).toOpaque() }

    var renderFunction: Function {
        { context, call in
            guard let context, let argument = call else { return }
            let call = argument.assumingMemoryBound(to: NodeCall.self).pointee
            // No reference is counted on the way.
            Unmanaged<ProgramBox>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.render(call) }
        }
    }
}
