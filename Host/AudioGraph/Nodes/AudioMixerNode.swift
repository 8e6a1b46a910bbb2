// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that adds up any number of inputs. Any thread.

import AudioFormats
import Rendering

/// Adds up its inputs, each source at its own level.
///
/// Inputs may have any number of channels. Mono goes to left and right. Three and five to eight channels are folded into two by ITU-R
/// BS.775. The centre and the surround channels are 3 dB lower, and the low-frequency channel is left out.
open class AudioMixerNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; the level is a constant that threads may share.
    let level: MixerLevel

    /// Makes a mixer.
    public init() {
        level = MixerLevel()
        super.init(name: "Mixer", body: MixerBody(level))
    }

    /// The gain of the output as a factor; 1 leaves the level unchanged.
    public var outputVolume: Float {
        get { level.volume }
        set { level.volume = newValue }
    }

    /// The identity of the output's level in a log of the engine.
    package var logIdentity: UInt { level.logIdentity }

    /// The first input bus without a connection.
    public var nextAvailableInputBus: Int { engine?.firstFreeInput(of: self) ?? 0 }

    /// The largest number of input buses of a mixer.
    package static let mostInputs = 1 << 16
}

/// Answers the engine for a mixer.
private struct MixerBody: NodeBody {
    private let level: MixerLevel
    let mixing: MixingSettings? = MixingSettings()

    init(_ level: MixerLevel) { self.level = level }

    /// As many as fit into a plan.
    var inputCount: Int { AudioMixerNode.mostInputs }
    var addsUp: Bool { true }
    var work: RenderGraph.Work? { .mix(level) }

    func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat { engine ?? .stereo(in: nil) }
}
