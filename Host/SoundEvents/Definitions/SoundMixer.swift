// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The mixers that put the sounds of a tree to the output. Any thread.

import AudioFormats

/// The way from a sound to the output.
public enum SoundMixer: Sendable {
    /// Leaves the channels as they are.
    case channel(ChannelMixer)
    /// Places the sound at a source of the scene.
    case spatial(SpatialMixer)
    /// Puts the channels around a listener of the scene.
    case ambient(AmbientMixer)
}

/// Puts the channels of a sound to the loudspeakers that they mean, without a place.
public struct ChannelMixer: Hashable, Sendable {
    /// The identifier; mixers with the same one are the same.
    public var id: String
    /// The meaning of the channels; nil for the usual one of their number.
    public var layout: ChannelLayout?
    /// The level as a factor.
    public var gain = 1.0
    /// A gain that follows a parameter, 0 to 1.
    public var steeredGain: SteeredValue?

    /// Makes a mixer.
    public init(_ id: String = "channels", layout: ChannelLayout? = nil) { (self.id, self.layout) = (id, layout) }
}

extension SoundMixer {
    var id: String {
        switch self {
        case .channel(let mixer): mixer.id
        case .spatial(let mixer): mixer.id
        case .ambient(let mixer): mixer.id
        }
    }

    /// The steady factor of the level.
    var gain: Double {
        switch self {
        case .channel(let mixer): mixer.gain
        case .spatial(let mixer): mixer.gain
        case .ambient(let mixer): mixer.gain
        }
    }

    /// The factors that follow parameters.
    var steeredGains: [SteeredValue] {
        switch self {
        case .channel(let mixer): [mixer.steeredGain].compactMap { $0 }
        case .spatial(let mixer): [mixer.steeredGain].compactMap { $0 }
        case .ambient(let mixer): [mixer.steeredGain].compactMap { $0 }
        }
    }

    /// The meaning of the channels; nil if it follows from the sound.
    var layout: ChannelLayout? {
        switch self {
        case .channel(let mixer): mixer.layout
        case .spatial: nil
        case .ambient(let mixer): mixer.layout
        }
    }

    /// The parts of a sound at a place: that on the straight way, and that for the room.
    var sends: (direct: SpatialMixer.Send?, room: SpatialMixer.Send?) {
        guard case .spatial(let mixer) = self else { return (nil, nil) }
        return (mixer.directPath, mixer.lateReverb)
    }

    /// The reason why no tree can have the mixer; nil if one can.
    var fault: String? {
        guard gain.isFinite else { return "the gain of a mixer is NaN or infinite" }
        guard case .spatial(let mixer) = self else { return nil }
        let sends = [mixer.directPath, mixer.lateReverb].compactMap { $0 }
        if sends.isEmpty { return "the mixer \"\(id)\" has no direct path and no late reverb" }
        if let send = sends.first(where: { !(0...1).contains($0.level) }) {
            return "a path of the mixer \"\(id)\" has the level \(send.level), and not 0 to 1"
        }
        if let cull = mixer.cullDistance, !(cull >= 1 && cull.isFinite) {
            return "the cull distance of the mixer \"\(id)\" is \(cull), and not 1 or more"
        }
        if case .spreading(let rolloff) = mixer.distance, !(rolloff >= 0 && rolloff.isFinite) {
            return "the roll-off of the mixer \"\(id)\" is \(rolloff), and not 0 or more"
        }
        return nil
    }
}
