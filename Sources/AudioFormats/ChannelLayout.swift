// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which place each channel of a signal stands for. Any thread.

/// The speakers of a signal's channels, in the order of the channels, or the word that they are none's.
public struct ChannelLayout: Hashable, Sendable {
    /// A speaker for each channel, each at most once; empty where the channels belong to none.
    public let speakers: [Speaker]
    /// The number of channels.
    public let channelCount: Int

    /// Makes a layout; nil without channels, or where a speaker stands twice.
    public init?(_ speakers: [Speaker]) {
        guard !speakers.isEmpty, Set(speakers).count == speakers.count else { return nil }
        self.speakers = speakers
        channelCount = speakers.count
    }

    private init(discrete channelCount: Int) { (speakers, self.channelCount) = ([], channelCount) }

    /// Channels that belong to no speaker, such as the tracks of a recording: a WAV file with the mask 0; nil without channels.
    ///
    /// They stay that from file to file. To be heard they are mixed as channels of which only the number is known.
    public static func discrete(_ channelCount: Int) -> ChannelLayout? {
        channelCount > 0 ? ChannelLayout(discrete: channelCount) : nil
    }

    /// Whether the channels belong to no speaker.
    public var isDiscrete: Bool { speakers.isEmpty }

    /// The layout of a WAV file's channel mask; nil without a bit that is known, or with one that is not.
    public init?(mask: UInt32) {
        self.init(Speaker.allCases.filter { mask & 1 << UInt32($0.rawValue) != 0 })
        guard self.mask == mask else { return nil }
    }

    /// The speakers of so many channels where nothing says otherwise, in the order in which WAV has them; nil for other numbers.
    public static func usual(_ channelCount: Int) -> ChannelLayout? {
        switch channelCount {
        case 1: ChannelLayout([.frontCenter])
        case 2: ChannelLayout([.frontLeft, .frontRight])
        case 3: ChannelLayout([.frontLeft, .frontRight, .frontCenter])
        case 4: ChannelLayout([.frontLeft, .frontRight, .backLeft, .backRight])
        case 5: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight])
        case 6: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight])
        case 7: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backCenter, .sideLeft, .sideRight])
        case 8:
            ChannelLayout([.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight])
        default: nil
        }
    }

    /// The bits of the speakers in a WAV file's channel mask.
    public var mask: UInt32 { speakers.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }

    /// The layout with the speakers in the order in which WAV has them.
    public var sorted: ChannelLayout { isDiscrete ? self : ChannelLayout(speakers.sorted { $0.rawValue < $1.rawValue }) ?? self }

    /// The gains from the channels of this layout to those of another one: the same speaker, or the nearest that the other has.
    ///
    /// What is spread over several speakers is lowered by 3 dB, and so is what moves to the front from the side or from behind. What stands
    /// at the side joins what stands behind as it is.
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
