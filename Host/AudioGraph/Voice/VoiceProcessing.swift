// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The internal nodes of voice processing, between the microphone and the graph. Any thread.

import AudioFormats
import PluginHosting
import Rendering
import Synchronization

/// The voice processor, and the path on which it gets the loudspeaker's sound.
///
/// The far end comes 10 ms late, so that the loudspeaker's sound may depend on the voice. The graph delays the microphone as much, so that
/// an echo is never early. No cycle is longer than that.
final class VoiceProcessing: Sendable {
    let processor: VoiceProcessorNode
    let farEnd: FarEndNode
    let farEndTap: FarEndTapNode
    let unit: PluginUnit
    private let path = Mutex<(path: FeedbackPath, sampleRate: Double)?>(nil)

    /// Starts the plug-in; throws the reason of a failure.
    init() throws(AudioEngineError) {
        do throws(HostingError) {
            unit = try PluginUnit.start(named: "aufx:vpio:blkh")
        } catch {
            throw .unit(node: NamedNode("Voice processor"), error)
        }
        (processor, farEnd, farEndTap) = (VoiceProcessorNode(unit), FarEndNode(), FarEndTapNode())
    }

    var nodes: [AudioNode] { [processor, farEnd, farEndTap] }

    /// Returns the longest cycle at a rate, in frames.
    static func longestCycle(at sampleRate: Double) -> Int { max(1, Int(nearestFrame: (sampleRate / 100).rounded(.down))) }

    /// Makes the return path for a rate; while nothing renders.
    func prepare(sampleRate: Double) {
        let path = path.withLock { path in
            if let path, path.sampleRate == sampleRate { return path.path }
            let new = FeedbackPath(channelCount: 2, delayFrameCount: Self.longestCycle(at: sampleRate))
            path = (new, sampleRate)
            return new
        }
        farEnd.path.node.withLock { $0 = path.return }
        farEndTap.path.node.withLock { $0 = path.send }
    }
}

// These are `package`, because the compiler refuses an internal subclass of a class with a `package` initializer.

/// The processor itself.
package final class VoiceProcessorNode: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioUnit.
    package override init(_ unit: PluginUnit) { super.init(UnitBody(unit, isInternal: true), name: unit.name) }
}

/// Puts out the loudspeaker's sound.
package final class FarEndNode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored property is a constant that threads may share.
    fileprivate let path: VoicePathBody

    init() {
        path = VoicePathBody(inputCount: 0, outputCount: 1)
        super.init(name: "Far end", body: path)
    }
}

/// Takes the loudspeaker's sound.
package final class FarEndTapNode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored property is a constant that threads may share.
    fileprivate let path: VoicePathBody

    init() {
        path = VoicePathBody(inputCount: 1, outputCount: 0)
        super.init(name: "Far end tap", body: path)
    }
}

/// Stands for one end of the return path.
///
/// Each rate has a new path.
private final class VoicePathBody: NodeBody {
    let node = Mutex<(any RenderNode)?>(nil)
    let inputCount: Int
    let outputCount: Int

    init(inputCount: Int, outputCount: Int) { (self.inputCount, self.outputCount) = (inputCount, outputCount) }

    var isInternal: Bool { true }
    var work: RenderGraph.Work? { node.withLock { $0.map { .render($0) } } }
    var latencyFrameCount: Int { node.withLock { $0?.latencyFrameCount ?? 0 } }
}
