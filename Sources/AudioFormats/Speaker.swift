// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The positions of loudspeakers. Any thread.

/// The position of a loudspeaker; the raw value is its bit in the channel mask of a WAV file.
public enum Speaker: Int, CaseIterable, Hashable, Sendable {
    case frontLeft, frontRight, frontCenter, lowFrequency, backLeft, backRight, frontLeftOfCenter, frontRightOfCenter
    case backCenter, sideLeft, sideRight, topCenter, topFrontLeft, topFrontCenter, topFrontRight, topBackLeft, topBackCenter
    case topBackRight

    /// PipeWire's name for the channel, which ends the name of a port.
    public var name: String {
        switch self {
        case .frontLeft: "FL"
        case .frontRight: "FR"
        case .frontCenter: "FC"
        case .lowFrequency: "LFE"
        case .backLeft: "RL"
        case .backRight: "RR"
        case .frontLeftOfCenter: "FLC"
        case .frontRightOfCenter: "FRC"
        case .backCenter: "RC"
        case .sideLeft: "SL"
        case .sideRight: "SR"
        case .topCenter: "TC"
        case .topFrontLeft: "TFL"
        case .topFrontCenter: "TFC"
        case .topFrontRight: "TFR"
        case .topBackLeft: "TRL"
        case .topBackCenter: "TRC"
        case .topBackRight: "TRR"
        }
    }

    /// The gains of the speaker's signal on the left and on the right, after ITU-R BS.775.
    ///
    /// The centre, and channels at the side or at the back, are lowered by 3 dB, and the back centre by both. The low-frequency
    /// channel is dropped: it repeats other channels. The sum is not lowered, so that the front keeps its level.
    public var stereoGains: (left: Float, right: Float) {
        let minusThreeDecibels: Float = 0.707_106_77
        return switch self {
        case .frontLeft, .frontLeftOfCenter: (1, 0)
        case .frontRight, .frontRightOfCenter: (0, 1)
        case .frontCenter: (minusThreeDecibels, minusThreeDecibels)
        case .lowFrequency: (0, 0)
        case .backLeft, .sideLeft, .topFrontLeft, .topBackLeft: (minusThreeDecibels, 0)
        case .backRight, .sideRight, .topFrontRight, .topBackRight: (0, minusThreeDecibels)
        case .backCenter, .topCenter, .topFrontCenter, .topBackCenter: (0.5, 0.5)
        }
    }

    /// The right counterpart of a speaker on the left; nil for other speakers.
    public var counterpart: Speaker? {
        switch self {
        case .frontLeft: .frontRight
        case .backLeft: .backRight
        case .frontLeftOfCenter: .frontRightOfCenter
        case .sideLeft: .sideRight
        case .topFrontLeft: .topFrontRight
        case .topBackLeft: .topBackRight
        default: nil
        }
    }

    /// The speakers that replace this one if a layout lacks it, the nearest first; each group replaces it together.
    var neighbours: [[Speaker]] {
        switch self {
        case .frontLeft, .frontRight: []
        case .frontCenter, .topFrontCenter: [[.frontCenter], [.frontLeft, .frontRight]]
        case .lowFrequency: []
        case .backLeft: [[.sideLeft], [.frontLeft]]
        case .backRight: [[.sideRight], [.frontRight]]
        case .sideLeft, .topBackLeft: [[.sideLeft], [.backLeft], [.frontLeft]]
        case .sideRight, .topBackRight: [[.sideRight], [.backRight], [.frontRight]]
        case .frontLeftOfCenter, .topFrontLeft: [[.frontLeft]]
        case .frontRightOfCenter, .topFrontRight: [[.frontRight]]
        case .backCenter, .topBackCenter, .topCenter:
            [[.backCenter], [.backLeft, .backRight], [.sideLeft, .sideRight], [.frontLeft, .frontRight]]
        }
    }
}
