// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A whole message that sets something on an instrument. Any thread.

/// A message of a channel, or a system-exclusive one from F0 to F7, with its cable.
package struct StateMessage: Hashable, Sendable {
    /// The most bytes of one system-exclusive message that are kept.
    package static let longest = ExclusiveMessages.longest
    /// The most bytes of memory for all of an instrument.
    package static let mostKeptBytes = 8 * ExclusiveMessages.capacity

    package let cable: UInt8
    package let bytes: [UInt8]

    package init(cable: UInt8, bytes: [UInt8]) { (self.cable, self.bytes) = (cable, bytes) }

    /// Makes a message of a channel.
    init(_ message: DueMessage) {
        let isShort = message.status >> 4 == 0xC || message.status >> 4 == 0xD
        self.init(cable: message.cable, bytes: [message.status, message.data1] + (isShort ? [] : [message.data2]))
    }

    /// The bytes of memory that a system-exclusive message needs to be kept; 0 for another one.
    package var keptByteCount: Int { isExclusive ? 8 * ExclusiveMessages.Record.wordCount(bytes.count) : 0 }

    /// True for a system-exclusive message that sets something that lasts.
    package var setsByExclusive: Bool {
        isExclusive
            && bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return false }
                return ExclusiveSubject(base, count: buffer.count).lasts
            }
    }

    /// True for a system-exclusive message.
    package var isExclusive: Bool { bytes.first == 0xF0 }
}
