// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The settings that samplers and streams have in common. Any thread.

/// The settings of a sound of a tree, whatever makes its frames.
struct LeafSettings: Sendable {
    /// The sound in a sentence.
    let name: String
    let mixer: SoundMixer
    let level: Double
    let rate: Double
    let gain: SteeredValue?
    let steeredRate: SteeredValue?
    let group: String?
    let priority: Int
    let culling: Sampler.Culling

    init(_ sampler: Sampler) {
        (name, mixer, level, rate) = ("the sampler of \"\(sampler.asset)\"", sampler.mixer, sampler.level, sampler.rate)
        (gain, steeredRate, group) = (sampler.gain, sampler.steeredRate, sampler.group)
        (priority, culling) = (sampler.priority, sampler.culling)
    }

    init(_ stream: SoundStream) {
        (name, mixer, level, rate) = ("the stream \"\(stream.id)\"", stream.mixer, stream.level, stream.rate)
        (gain, steeredRate, group) = (stream.gain, stream.steeredRate, stream.group)
        (priority, culling) = (stream.priority, .doNotCull)
    }
}

extension TreeProgram.Leaf {
    /// The identifier of the asset or the stream.
    var name: String {
        switch origin {
        case .asset(let id, _): id
        case .push(let stream), .pull(let stream): stream.id
        }
    }

    /// The stream; nil for an asset.
    var stream: SoundStream? {
        switch origin {
        case .asset: nil
        case .push(let stream), .pull(let stream): stream
        }
    }
}
