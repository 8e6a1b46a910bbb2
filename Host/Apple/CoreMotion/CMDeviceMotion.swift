// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The motion of a head at a moment. Any thread.

import Foundation

/// A measurement and its time.
open class CMLogItem: NSObject, @unchecked Sendable {
    // SAFETY: the time never changes, and neither do the values of the class below.
    /// The time in seconds, on the clock of `mach_absolute_time()`.
    public let timestamp: TimeInterval

    init(timestamp: TimeInterval) { self.timestamp = timestamp }
}

/// The motion of a head: its orientation.
public final class CMDeviceMotion: CMLogItem, @unchecked Sendable {
    // SAFETY: the attitude guards itself.
    /// The orientation.
    public let attitude: CMAttitude

    init(_ head: HeadDirections, timestamp: TimeInterval) {
        attitude = CMAttitude(head)
        super.init(timestamp: timestamp)
    }
}
