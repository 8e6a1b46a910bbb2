// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The speakers of channels. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioFormats

/// A layout of channels; its lower half is the number of channels.
public typealias AudioChannelLayoutTag = UInt32

/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left and right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
/// Left and right, for headphones.
public let kAudioChannelLayoutTag_StereoHeadphones: AudioChannelLayoutTag = 102 << 16 | 2
/// Two recordings of one room, for headphones.
public let kAudioChannelLayoutTag_Binaural: AudioChannelLayoutTag = 106 << 16 | 2
/// Four speakers.
public let kAudioChannelLayoutTag_Quadraphonic: AudioChannelLayoutTag = 108 << 16 | 4
/// Four speakers.
public let kAudioChannelLayoutTag_AudioUnit_4 = kAudioChannelLayoutTag_Quadraphonic
/// Five speakers.
public let kAudioChannelLayoutTag_AudioUnit_5_0: AudioChannelLayoutTag = 118 << 16 | 5
/// Five speakers and one for the bass.
public let kAudioChannelLayoutTag_AudioUnit_5_1: AudioChannelLayoutTag = 121 << 16 | 6
/// Six speakers.
public let kAudioChannelLayoutTag_AudioUnit_6_0: AudioChannelLayoutTag = 139 << 16 | 6
/// Seven speakers.
public let kAudioChannelLayoutTag_AudioUnit_7_0: AudioChannelLayoutTag = 140 << 16 | 7
/// Seven speakers and one for the bass.
public let kAudioChannelLayoutTag_AudioUnit_7_1: AudioChannelLayoutTag = 128 << 16 | 8
/// Eight speakers.
public let kAudioChannelLayoutTag_AudioUnit_8: AudioChannelLayoutTag = 110 << 16 | 8
/// Channels without speakers; add their number.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16

/// The speakers of channels.
///
/// A layout with one of Apple's tags travels with the sound, into files and to the ports of a device.
public final class AVAudioChannelLayout: Sendable, Equatable {
    /// The tag of the layout.
    public let layoutTag: AudioChannelLayoutTag

    /// Makes a layout; nil for a tag without channels.
    public init?(layoutTag: AudioChannelLayoutTag) {
        guard layoutTag & 0xFFFF > 0 else { return nil }
        self.layoutTag = layoutTag
    }

    /// The tags with speakers, in Apple's order.
    private static let known: [(tag: AudioChannelLayoutTag, speakers: [Speaker])] = [
        (kAudioChannelLayoutTag_Quadraphonic, [.frontLeft, .frontRight, .backLeft, .backRight]),
        (kAudioChannelLayoutTag_AudioUnit_5_0, [.frontLeft, .frontRight, .backLeft, .backRight, .frontCenter]),
        (kAudioChannelLayoutTag_AudioUnit_5_1, [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight]),
        (kAudioChannelLayoutTag_AudioUnit_6_0, [.frontLeft, .frontRight, .backLeft, .backRight, .frontCenter, .backCenter]),
        (
            kAudioChannelLayoutTag_AudioUnit_7_0,
            [.frontLeft, .frontRight, .sideLeft, .sideRight, .frontCenter, .backLeft, .backRight]
        ),
        (
            kAudioChannelLayoutTag_AudioUnit_7_1,
            [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight, .backLeft, .backRight]
        ),
    ]

    /// The speakers of the channels, or a discrete layout; nil if the tag is unknown.
    var speakers: ChannelLayout? {
        if layoutTag & ~0xFFFF == kAudioChannelLayoutTag_DiscreteInOrder { return .discrete(Int(channelCount)) }
        return Self.known.first { $0.tag == layoutTag }.flatMap { ChannelLayout($0.speakers) }
    }

    /// Makes the layout of these speakers; without a matching tag, it keeps only their number.
    convenience init(_ layout: ChannelLayout) {
        if let known = Self.known.first(where: { $0.speakers == layout.speakers }) {
            self.init(known.tag)
        } else {
            self.init(channelCount: layout.channelCount)
        }
    }

    private init(_ tag: AudioChannelLayoutTag) { layoutTag = tag }

    init(channelCount: Int) {
        layoutTag =
            switch channelCount {
            case 1: kAudioChannelLayoutTag_Mono
            case 2: kAudioChannelLayoutTag_Stereo
            default: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: channelCount)
            }
    }

    /// The number of channels.
    public var channelCount: AVAudioChannelCount { layoutTag & 0xFFFF }

    /// True if two layouts are the same.
    public static func == (left: AVAudioChannelLayout, right: AVAudioChannelLayout) -> Bool { left.layoutTag == right.layoutTag }
}
