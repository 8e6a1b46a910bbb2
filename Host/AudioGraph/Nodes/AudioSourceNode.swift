// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node whose sound a closure of the program makes. The closure runs on the render thread.

import PluginHosting
import Realtime
import Rendering

/// A source whose sound a closure makes.
public final class AudioSourceNode: AudioNode, MixingSource, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that may be shared.
    /// Renders `output.frameCount` frames from `sampleTime` on.
    ///
    /// `[render]` It must neither allocate, lock nor wait, and takes all that it needs along. The block is silent before. With
    /// `isSilence` set nothing of it is read.
    public typealias RenderBlock = (_ isSilence: inout Bool, _ sampleTime: Int64, _ output: AudioBlock) -> Void

    private let source: ClosureSource
    /// The format that the program gave the source.
    let ownFormat: AudioFormat?
    let settings = MixingSettings()

    /// A source in the format that it is connected with, or in `format`.
    public init(format: AudioFormat? = nil, renderBlock: @escaping RenderBlock) {
        source = ClosureSource(renderBlock)
        ownFormat = format
        super.init(name: "Source")
    }

    override var defaultFormat: AudioFormat { ownFormat ?? super.defaultFormat }
    override var work: RenderGraph.Work? { .render(source) }
}

/// Calls a closure on the render thread.
private final class ClosureSource: RenderNode {
    // SAFETY: written once; the closure is the program's, which promises that it may be called there.
    nonisolated(unsafe) private let block: UnsafeMutablePointer<AudioSourceNode.RenderBlock>

    init(_ body: @escaping AudioSourceNode.RenderBlock) {
        block = .allocate(capacity: 1)
        block.initialize(to: body)
    }

    deinit {
        block.deinitialize(count: 1)
        block.deallocate()
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(block) }

    var renderFunction: Function {
        { context, call in
            guard let context, let argument = call else { return }
            let call = argument.assumingMemoryBound(to: NodeCall.self).pointee
            call.output.silence()
            var isSilent = false
            context.assumingMemoryBound(to: AudioSourceNode.RenderBlock.self).pointee(
                &isSilent, call.cycle.pointee.sampleTime, call.output)
            call.outputs.pointee.isSilent = isSilent
        }
    }
}
