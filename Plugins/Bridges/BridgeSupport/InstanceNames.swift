// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The channels of each instance of a plug-in, in words. Control thread.

import PluginSDK

extension ChannelMap {
    /// `[control]` A name for each instance by its channels, such as "Left", "Back left and right" or "Channel 9".
    ///
    /// Without a layout, the usual one for the channel count is used.
    public func instanceNames(layout: ChannelLayout?) -> [String] {
        let channelCount = channelsOfInstances.reduce(0) { $0 + $1.count }
        let known = layout ?? .usual(channelCount)
        let speakers = known?.channelCount == channelCount ? known?.speakers ?? [] : []
        return channelsOfInstances.map { channels -> String in
            let words = channels.map { speakers.indices.contains($0) ? speakers[$0].word : "channel \($0 + 1)" }
            let name = words.count == 2 && words[1].hasSuffix("right") ? "\(words[0]) and right" : words.joined(separator: ", ")
            return name.prefix(1).uppercased() + name.dropFirst()
        }
    }
}

extension Speaker {
    /// The name of the position, in lower case.
    fileprivate var word: String {
        switch self {
        case .frontLeft: "left"
        case .frontRight: "right"
        case .frontCenter: "centre"
        case .lowFrequency: "low frequencies"
        case .backLeft: "back left"
        case .backRight: "back right"
        case .frontLeftOfCenter: "centre left"
        case .frontRightOfCenter: "centre right"
        case .backCenter: "back centre"
        case .sideLeft: "side left"
        case .sideRight: "side right"
        case .topCenter: "top"
        case .topFrontLeft: "top front left"
        case .topFrontCenter: "top front centre"
        case .topFrontRight: "top front right"
        case .topBackLeft: "top back left"
        case .topBackCenter: "top back centre"
        case .topBackRight: "top back right"
        }
    }
}
