// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A selectable part of a device, such as one of several microphones. Any thread.

import Foundation

/// A selectable part of a device, such as one of several microphones.
///
/// PipeWire shows such parts as separate devices, so no port has any.
public final class AVAudioSessionDataSourceDescription: NSObject, Sendable {
    /// The number of the part.
    public let dataSourceID: NSNumber
    /// The name that users see.
    public let dataSourceName: String

    init(dataSourceID: NSNumber, dataSourceName: String) {
        (self.dataSourceID, self.dataSourceName) = (dataSourceID, dataSourceName)
    }
}
