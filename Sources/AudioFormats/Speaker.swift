// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The places that a channel can stand for. Any thread.

/// The place of a loudspeaker; the number is that of its bit in the channel mask of a WAV file.
public enum Speaker: Int, CaseIterable, Hashable, Sendable {
    case frontLeft, frontRight, frontCenter, lowFrequency, backLeft, backRight, frontLeftOfCenter, frontRightOfCenter
    case backCenter, sideLeft, sideRight, topCenter, topFrontLeft, topFrontCenter, topFrontRight, topBackLeft, topBackCenter
    case topBackRight

    /// PipeWire's name of such a channel, which ends the name of a port.
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

    /// The gains with which the speaker's signal goes to the left and to the right, as ITU-R BS.775 has them.
    ///
    /// What stands in the middle, and what stands beside or behind, is lowered by 3 dB, and the back centre by both. The channel of low
    /// frequencies is dropped: it repeats what the others have. The sum is not lowered, so that what is in front stays as loud as it is.
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

    /// The speaker on the right of one on the left; nil for others.
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

    /// The speakers that take over the signal where a layout has not this one, the nearest first; each group takes it together.
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
