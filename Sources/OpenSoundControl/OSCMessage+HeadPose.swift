// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells the messages of head trackers from others. Any thread.

extension OSCMessage {
    /// True for the pose of a head, as a tracker sends it.
    ///
    /// The last part of the address is `ypr`, for three angles in degrees to the right, upwards and to the right side; or it is
    /// `quaternion`, for four numbers of which the real part is the first.
    package var isHeadPose: Bool {
        switch address.split(separator: "/", omittingEmptySubsequences: false).last {
        case "ypr": arguments.count == 3
        case "quaternion": arguments.count == 4
        default: false
        }
    }

    /// The values as numbers; nil if one of them is none, or is not finite.
    package var finiteNumbers: [Double]? {
        let numbers = arguments.compactMap(\.number).filter(\.isFinite)
        return numbers.count == arguments.count ? numbers : nil
    }
}
