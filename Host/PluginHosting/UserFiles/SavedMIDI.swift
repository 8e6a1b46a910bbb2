// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The MIDI state of an instrument in a document: what messages have set on its channels. Control thread.

import AudioUnits
import Rendering

/// The messages that set the programs, controllers, bends and parameters of an instrument, in the order for sending them.
///
/// A document has each as a text of hexadecimal bytes, such as "B0 07 64"; "3:B0 07 64" is for cable 3. Held notes and pedals belong to
/// the player, and are not among them.
package struct SavedMIDI: Hashable, Sendable {
    /// The most messages: all values that a port keeps, with four messages each.
    private static let mostMessages = 4096

    /// A message of two or three bytes.
    private struct Message: Hashable {
        let cable: UInt8
        let bytes: [UInt8]

        init(_ message: DueMessage) {
            let isShort = message.status >> 4 == 0xC || message.status >> 4 == 0xD
            (cable, bytes) = (message.cable, [message.status, message.data1] + (isShort ? [] : [message.data2]))
        }

        /// Reads a text; nil unless it is a message that sets something on a channel.
        init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let digits = (parts.last ?? "").split(separator: " ")
            let bytes = digits.filter { $0.utf8.count == 2 }.compactMap { UInt8($0, radix: 16) }
            guard let cable = parts.count == 2 ? UInt8(parts[0]) : 0, bytes.count == digits.count, let status = bytes.first,
                0xB0..<0xF0 ~= status, bytes.dropFirst().allSatisfy({ $0 < 0x80 }), bytes.count == (0xC0..<0xE0 ~= status ? 2 : 3)
            else { return nil }
            (self.cable, self.bytes) = (cable, bytes)
        }

        var text: String {
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
            return cable == 0 ? digits : "\(cable):\(digits)"
        }

        var due: DueMessage {
            DueMessage(time: 0, bytes[0], bytes[1], bytes.count > 2 ? bytes[2] : 0, cable: cable)
        }

        var message: MIDIMessage {
            MIDIMessage(bytes[0], bytes[1], bytes.count > 2 ? bytes[2] : 0, byteCount: UInt8(bytes.count), cable: cable)
        }
    }

    private let messages: [Message]

    /// The MIDI state of a unit; nil if no message has set anything.
    init?(of unit: HostedUnit) {
        messages = unit.port.stateMessages.map(Message.init)
        if messages.isEmpty { return nil }
    }

    /// Gives the state to a unit that has not rendered yet; it receives it with its first block.
    ///
    /// Then it receives its parameters again, but for the automated ones: a program, for example, may be a parameter that was set since.
    func begin(_ unit: HostedUnit, except automated: Set<String>) {
        unit.port.begin(with: messages.map(\.due))
        unit.resendValues(except: automated)
    }

    /// Sends the state to a unit that may render.
    package func send(to unit: HostedUnit) throws(HostingError) {
        unit.port.openControls()
        for message in messages { try unit.send(message.message) }
    }
}

extension SavedMIDI: Codable {
    /// Reads and checks the texts.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let texts = try container.decode([String].self)
        guard texts.count <= Self.mostMessages else {
            let reason = "there are \(texts.count) messages, and \(Self.mostMessages) are the most"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
        }
        messages = try texts.map { text in
            guard let message = Message(text) else {
                let shown = text.isPrintable ? String(text.prefix(40)) : "?"
                let reason = "\"\(shown)\" sets nothing on a channel of MIDI; write bytes such as \"B0 07 64\""
                throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
            }
            return message
        }
    }

    /// Writes the texts.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(messages.map(\.text))
    }
}
