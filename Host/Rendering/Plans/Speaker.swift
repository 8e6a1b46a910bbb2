// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the channels of a signal stand for, and how loud each is in a stereo mix. Control thread.

/// A speaker of a layout.
enum Speaker {
    case left, right, centre, lowFrequencies, leftSurround, rightSurround, backCentre

    /// The gains with which the speaker's signal goes to the left and to the right, as ITU-R BS.775 has them.
    ///
    /// What stands in the middle, and what stands behind, is lowered by 3 dB, and the back centre by both. The channel of low frequencies
    /// is dropped: it repeats what the others have. The sum is not lowered, so that what is in front stays as loud as it is.
    var stereoGains: (left: Float, right: Float) {
        let minusThreeDecibels: Float = 0.707_106_77
        return switch self {
        case .left: (1, 0)
        case .right: (0, 1)
        case .centre: (minusThreeDecibels, minusThreeDecibels)
        case .lowFrequencies: (0, 0)
        case .leftSurround: (minusThreeDecibels, 0)
        case .rightSurround: (0, minusThreeDecibels)
        case .backCentre: (0.5, 0.5)
        }
    }

    /// The speakers of so many channels, in the order in which WAV has them; nil for a number without a usual layout.
    static func usual(_ channelCount: Int) -> [Speaker]? {
        switch channelCount {
        case 3: [.left, .right, .centre]
        case 5: [.left, .right, .centre, .leftSurround, .rightSurround]
        case 6: [.left, .right, .centre, .lowFrequencies, .leftSurround, .rightSurround]
        case 7: [.left, .right, .centre, .lowFrequencies, .backCentre, .leftSurround, .rightSurround]
        case 8: [.left, .right, .centre, .lowFrequencies, .leftSurround, .rightSurround, .leftSurround, .rightSurround]
        default: nil
        }
    }
}
