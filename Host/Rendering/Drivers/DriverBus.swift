// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bus of a driver beside its main input and output. Any thread.

/// A group of channels of a driver beside its main input, such as a side chain.
public struct DriverBus: Sendable, Hashable {
    /// The name of its ports, each followed by `_` and the channel; a single channel has only the name.
    public var name: String
    /// The number of its channels.
    public var channelCount: Int

    /// Makes a bus with this number of channels.
    public init(name: String, channelCount: Int = 2) {
        (self.name, self.channelCount) = (name, channelCount)
    }

    /// True if ports can have its name.
    package var isNameOfPorts: Bool {
        !name.isEmpty && name.utf8.count <= 64 && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ":") }
    }
}
