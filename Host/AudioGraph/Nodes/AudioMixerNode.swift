// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that adds up any number of inputs. Any thread.

import AudioFormats
import Rendering

/// Adds up what is connected to it, each source at its own level.
///
/// Inputs may have any number of channels. Mono goes to left and right. Three and five to eight channels are folded into two
/// as ITU-R BS.775 says: the centre and the surround channels 3 dB lower, and without the low frequencies' channel.
open class AudioMixerNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; the level is a constant that may be shared.
    let level: MixerLevel

    /// A mixer.
    public init() {
        level = MixerLevel()
        super.init(name: "Mixer", body: MixerBody(level))
    }

    /// The gain of the output as a factor; 1 leaves the level unchanged.
    public var outputVolume: Float {
        get { level.volume }
        set { level.volume = newValue }
    }

    /// What a log of the engine calls the level of the output.
    package var logIdentity: UInt { level.logIdentity }

    /// The first input bus that nothing is connected to.
    public var nextAvailableInputBus: Int { engine?.firstFreeInput(of: self) ?? 0 }

    /// The most input buses of a mixer.
    package static let mostInputs = 1 << 16
}

/// The body of a mixer.
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
