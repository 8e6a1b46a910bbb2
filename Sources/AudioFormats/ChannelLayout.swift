// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The speaker of each channel of a signal. Any thread.

/// The speakers of a signal's channels, in the order of the channels; or a statement that they have no speakers.
public struct ChannelLayout: Hashable, Sendable {
    /// A speaker for each channel, each at most once; empty for discrete channels.
    public let speakers: [Speaker]
    /// The number of channels.
    public let channelCount: Int

    /// Makes a layout; nil without channels, or if a speaker occurs twice.
    public init?(_ speakers: [Speaker]) {
        guard !speakers.isEmpty, Set(speakers).count == speakers.count else { return nil }
        self.speakers = speakers
        channelCount = speakers.count
    }

    private init(distinct speakers: Speaker...) { (self.speakers, channelCount) = (speakers, speakers.count) }
    private init(discrete channelCount: Int) { (speakers, self.channelCount) = ([], channelCount) }

    /// Makes a layout of channels without speakers, such as the tracks of a recording; nil without channels.
    ///
    /// A WAV file has the mask 0 for that. The channels stay discrete from file to file. For playback they are mixed as
    /// channels of which only the number is known.
    public static func discrete(_ channelCount: Int) -> ChannelLayout? {
        channelCount > 0 ? ChannelLayout(discrete: channelCount) : nil
    }

    /// True if the channels have no speakers.
    public var isDiscrete: Bool { speakers.isEmpty }

    /// The layout of a WAV file's channel mask; nil for a mask without known bits, or with an unknown bit.
    public init?(mask: UInt32) {
        self.init(Speaker.allCases.filter { mask & 1 << UInt32($0.rawValue) != 0 })
        guard self.mask == mask else { return nil }
    }

    /// The speakers of 5.1, in the order of WAV.
    public static let fivePointOne = ChannelLayout(
        distinct: .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight)
    /// The speakers of 7.1, in the order of WAV.
    public static let sevenPointOne = ChannelLayout(
        distinct: .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight)
    /// The speakers of 7.1.4, in the order of WAV: those of 7.1, and four above.
    public static let sevenPointOneFour = ChannelLayout(
        distinct: .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight, .topFrontLeft,
        .topFrontRight, .topBackLeft, .topBackRight)

    /// The usual speakers for a number of channels, in the order of WAV; nil for numbers without a usual layout.
    public static func usual(_ channelCount: Int) -> ChannelLayout? {
        switch channelCount {
        case 1: ChannelLayout([.frontCenter])
        case 2: ChannelLayout([.frontLeft, .frontRight])
        case 3: ChannelLayout([.frontLeft, .frontRight, .frontCenter])
        case 4: ChannelLayout([.frontLeft, .frontRight, .backLeft, .backRight])
        case 5: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight])
        case 6: .fivePointOne
        case 7: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backCenter, .sideLeft, .sideRight])
        case 8: .sevenPointOne
        default: nil
        }
    }

    /// The bits of the speakers in a WAV file's channel mask.
    public var mask: UInt32 { speakers.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }

    /// The layout with its speakers in the order of WAV.
    public var sorted: ChannelLayout { isDiscrete ? self : ChannelLayout(speakers.sorted { $0.rawValue < $1.rawValue }) ?? self }

    /// The gains from the channels of this layout to those of another: to the same speaker, or to its nearest neighbours.
    ///
    /// A signal that is spread over several speakers is lowered by 3 dB. So is a signal that moves from the side or the back to
    /// the front. A side channel that joins a back channel keeps its level.
    public func gains(to other: ChannelLayout) -> [(source: Int, destination: Int, gain: Float)] {
        speakers.enumerated().flatMap { source, speaker in
            let found = ([[speaker]] + speaker.neighbours).first { $0.allSatisfy(other.speakers.contains) } ?? []
            let isMoved = found.count > 1 || found.first.map { $0 != speaker && $0.isInFront && !speaker.isInFront } ?? false
            let gain: Float = isMoved ? 0.707_106_77 : 1
            return found.compactMap { target in
                other.speakers.firstIndex(of: target).map { (source: source, destination: $0, gain: gain) }
            }
        }
    }
}

extension Speaker {
    fileprivate var isInFront: Bool {
        switch self {
        case .frontLeft, .frontRight, .frontCenter, .frontLeftOfCenter, .frontRightOfCenter: true
        default: false
        }
    }
}
