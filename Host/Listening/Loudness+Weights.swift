// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The weight of each channel in the loudness of a sound. Any thread.

import AudioFormats
import CEbur128

extension Loudness {
    /// Returns the position of each channel for libebur128.
    ///
    /// Below 30° of elevation, a speaker from 60° to 120° to the side counts 1.41 times, and any other one once. Above, each counts once.
    /// The low-frequency channel does not count. Source: ITU-R BS.1770, Annex 3. A channel without a speaker counts once.
    static func positions(channelCount: Int, layout: ChannelLayout?) -> [Int32] {
        let speakers = layout?.speakers ?? []
        let hasSides = speakers.contains(.sideLeft) || speakers.contains(.sideRight)
        return (0..<channelCount).map { index in
            let position = index < speakers.count ? speakers[index].position(besideSides: hasSides) : EBUR128_LEFT
            return Int32(position.rawValue)
        }
    }
}

extension Speaker {
    /// The position for libebur128.
    ///
    /// Without speakers at the sides, those at the back are the surround speakers of 5.1 at 110°. Beside some, they are those of 7.1 at 135°.
    fileprivate func position(besideSides: Bool) -> channel {
        switch self {
        case .frontLeft, .frontLeftOfCenter: EBUR128_LEFT
        case .frontRight, .frontRightOfCenter: EBUR128_RIGHT
        case .frontCenter: EBUR128_CENTER
        case .lowFrequency: EBUR128_UNUSED
        case .sideLeft: EBUR128_Mp090
        case .sideRight: EBUR128_Mm090
        case .backLeft: besideSides ? EBUR128_Mp135 : EBUR128_LEFT_SURROUND
        case .backRight: besideSides ? EBUR128_Mm135 : EBUR128_RIGHT_SURROUND
        case .backCenter: EBUR128_Mp180
        case .topCenter: EBUR128_Tp000
        case .topFrontLeft: EBUR128_Up030
        case .topFrontCenter: EBUR128_Up000
        case .topFrontRight: EBUR128_Um030
        case .topBackLeft: EBUR128_Up110
        case .topBackCenter: EBUR128_Up180
        case .topBackRight: EBUR128_Um110
        }
    }
}
