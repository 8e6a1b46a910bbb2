// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The places where the poses of a head come from: a head tracker or a file. Any thread.

/// A source of the poses of a head; Apple's systems have the headphones in its place.
public enum CMHeadPoseSource: Hashable, Sendable {
    /// A head tracker that sends Open Sound Control to a port of this machine.
    ///
    /// Addresses that end in `ypr` have three angles in degrees: to the right, upwards, and to the right side. Those that end in
    /// `quaternion` have four numbers, of which the real part is the first; x points to the right, y upwards, z to the back. Other messages
    /// are ignored. Port 0 takes any free one.
    case tracker(port: UInt16)
    /// A text file whose rows have a time in seconds, and then three such angles or four such numbers.
    ///
    /// The head turns evenly between rows, and its time begins with the first updates. Fifty poses a second come from it.
    case file(path: String)

    /// Reads the words of BULKHEAD_HEAD_POSES: `osc:` and a port, or the path of a file.
    init(_ words: String) {
        let port = words.hasPrefix("osc:") ? UInt16(words.dropFirst(4)) : nil
        self = port.map { .tracker(port: $0) } ?? .file(path: words)
    }
}

extension CMHeadphoneMotionManager {
    /// The source of poses for all managers; it begins with what BULKHEAD_HEAD_POSES names, or with nil.
    ///
    /// A change ends the updates of managers that run; start them again.
    public static var headPoseSource: CMHeadPoseSource? {
        get { HeadPoses.source }
        set { HeadPoses.source = newValue }
    }
}
