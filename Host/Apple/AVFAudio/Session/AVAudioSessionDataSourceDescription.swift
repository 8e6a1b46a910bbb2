// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A part of a device that can be chosen, such as one of several microphones. Any thread.

import Foundation

/// A part of a device that can be chosen, such as one of several microphones.
///
/// PipeWire shows such parts as devices of their own, so no port has one.
public final class AVAudioSessionDataSourceDescription: NSObject, Sendable {
    /// The number of the part.
    public let dataSourceID: NSNumber
    /// The name that users see.
    public let dataSourceName: String

    init(dataSourceID: NSNumber, dataSourceName: String) {
        (self.dataSourceID, self.dataSourceName) = (dataSourceID, dataSourceName)
    }
}
