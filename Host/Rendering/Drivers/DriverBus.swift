// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bus of a driver beside its main input and output. Any thread.

/// A group of channels that a driver brings in beside its main input, such as a side chain.
public struct DriverBus: Sendable, Hashable {
    /// What its ports are called, each followed by `_` and its channel; a single channel is called by the name alone.
    public var name: String
    /// How many channels it has.
    public var channelCount: Int

    /// A bus of so many channels.
    public init(name: String, channelCount: Int = 2) {
        (self.name, self.channelCount) = (name, channelCount)
    }

    /// Whether ports can have its name.
    package var isNameOfPorts: Bool {
        !name.isEmpty && name.utf8.count <= 64 && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ":") }
    }
}
