// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that adds up any number of inputs. Any thread.

import Rendering

/// Adds up what is connected to it, each source at its own level.
///
/// Inputs may have any number of channels. Mono goes to left and right. Three and five to eight channels are folded into two
/// as ITU-R BS.775 says: the centre and the surround channels 3 dB lower, and without the low frequencies' channel.
public final class AudioMixerNode: AudioNode, MixingSource, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that may be shared.
    let level = MixerLevel()
    let settings = MixingSettings()

    /// A mixer.
    public init() { super.init(name: "Mixer") }

    /// The gain of the output as a factor; 1 leaves the level unchanged.
    public var outputVolume: Float {
        get { level.volume }
        set { level.volume = newValue }
    }

    /// What a log of the engine calls the level of the output.
    package var logIdentity: UInt { level.logIdentity }

    /// As many as fit into a plan.
    public override var numberOfInputs: Int { Self.mostInputs }

    /// The first input bus that nothing is connected to.
    public var nextAvailableInputBus: Int { engine?.firstFreeInput(of: self) ?? 0 }

    /// The most input buses of a mixer.
    package static let mostInputs = 1 << 16

    override var addsUp: Bool { true }
    override var work: RenderGraph.Work? { .mix(level) }
}
