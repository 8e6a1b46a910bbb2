// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A channel of a device. Any thread.

import Foundation

/// A channel of a device.
public final class AVAudioSessionChannelDescription: NSObject, Sendable {
    /// PipeWire's name for the channel, such as "FL".
    public let channelName: String
    /// The stable name of the device.
    public let owningPortUID: String
    /// The number, from 1 on.
    public let channelNumber: Int

    init(channelName: String, owningPortUID: String, channelNumber: Int) {
        (self.channelName, self.owningPortUID, self.channelNumber) = (channelName, owningPortUID, channelNumber)
    }
}
