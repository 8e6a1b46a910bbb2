// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The body of a node that renders in one way for its whole life, without resources. Any thread.

import AudioFormats
import Rendering

/// Answers the engine for a node with one `RenderNode`, and at most one bus on either side.
package struct SteadyBody: NodeBody {
    private let node: any RenderNode
    package let inputCount: Int
    package let outputCount: Int
    package let mixing: MixingSettings?
    /// The format that the program gave the node.
    private let ownFormat: AudioFormat?
    /// The errors of the program's block; nil for a block that returns none.
    private let status: BlockStatus?

    /// Makes a body; a node without a format of its own has two channels before it is connected.
    package init(
        _ node: any RenderNode, inputCount: Int = 0, outputCount: Int = 1, mixing: MixingSettings? = nil,
        format: AudioFormat? = nil, status: BlockStatus? = nil
    ) {
        (self.node, self.inputCount, self.outputCount) = (node, inputCount, outputCount)
        (self.mixing, ownFormat, self.status) = (mixing, format, status)
    }

    package var work: RenderGraph.Work? { .render(node) }
    package var latencyFrameCount: Int { node.latencyFrameCount }

    package func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat {
        ownFormat ?? .stereo(in: engine)
    }

    package var wantsAttention: Bool { status?.isNew ?? false }
    package func attend(_ node: AudioNode) { status?.tell(of: node) }

    package func outputFormats(afterInput format: AudioFormat) -> [AudioFormat] { outputCount > 0 ? [format] : [] }
}
