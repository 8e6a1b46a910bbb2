// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The MIDI state of an instrument in a document: what messages have set on its channels. Control thread.

import AudioUnits
import Rendering

/// The messages that set an instrument as MIDI has set it, in the order for sending them.
///
/// They are system-exclusive ones, such as tunings, and programs, controllers, bends and parameters. A document has each as a text of
/// hexadecimal bytes, such as "B0 07 64"; "3:B0 07 64" is for cable 3. Held notes and pedals belong to the player, and are not among them.
package struct SavedMIDI: Hashable, Sendable {
    /// The most messages: all values that a port keeps, with four messages each, and the shortest system-exclusive ones.
    private static let mostMessages = 6144

    private let messages: [StateMessage]

    /// The MIDI state of a unit; nil if no message has set anything.
    init?(of unit: HostedUnit) {
        messages = unit.port.stateMessages
        if messages.isEmpty { return nil }
    }

    /// Gives the state to a unit that has not rendered yet; it receives it with its first block.
    ///
    /// Then it receives its parameters again, but for the automated ones: a program, for example, may be a parameter that was set since.
    func begin(_ unit: HostedUnit, except automated: Set<String>) {
        unit.port.begin(with: messages)
        unit.resendValues(except: automated)
    }

    /// Sends the state to a unit that may render: all of it, or none.
    ///
    /// It comes on top of what MIDI has set: no message takes back a tuning that the state does not have.
    package func send(to unit: HostedUnit) throws(HostingError) {
        unit.port.openControls()
        try unit.send(all: messages.flatMap { MIDIMessage.pieces(of: $0.bytes, cable: $0.cable) })
    }
}

extension StateMessage {
    /// Reads a text; nil unless it is a message that sets something on a channel, or a whole system-exclusive one.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = (parts.last ?? "").split(separator: " ")
        let bytes = digits.filter { $0.utf8.count == 2 }.compactMap { UInt8($0, radix: 16) }
        guard let cable = parts.count == 2 ? UInt8(parts[0]) : 0, bytes.count == digits.count else { return nil }
        self.init(cable: cable, bytes: bytes)
        guard setsSomething else { return nil }
    }

    private var setsSomething: Bool {
        guard let status = bytes.first else { return false }
        if isExclusive { return bytes.count <= Self.longest && MIDIMessage.isSystemExclusive(bytes) && setsByExclusive }
        return 0xB0..<0xF0 ~= status && bytes.dropFirst().allSatisfy { $0 < 0x80 } && bytes.count == (0xC0..<0xE0 ~= status ? 2 : 3)
    }

    fileprivate var text: String {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
        return cable == 0 ? digits : "\(cable):\(digits)"
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
            guard let message = StateMessage(text) else {
                let shown = text.isPrintable ? String(text.prefix(40)) : "?"
                let reason = "\"\(shown)\" sets nothing by MIDI; write bytes such as \"B0 07 64\""
                throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
            }
            return message
        }
        let byteCount = messages.reduce(0) { $0 + $1.keptByteCount }
        guard byteCount <= StateMessage.mostKeptBytes else {
            let reason =
                "its system-exclusive messages need \(byteCount) bytes of memory, and \(StateMessage.mostKeptBytes) are the most"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
        }
    }

    /// Writes the texts.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(messages.map(\.text))
    }
}
