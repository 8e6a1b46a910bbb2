// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The messages of the control channel as lines for a reader. Control threads.

import ControlMessages
import LinuxSystem
import Printing

/// `[any]` A message between the host and an extension, or the lack of one.
package struct TracedMessage: Codable, Hashable, Sendable {
    /// Nanoseconds of the monotonic clock.
    package var nanoseconds: UInt64
    /// The number of the extension's process.
    package var process: Int32
    /// True if the host has sent it.
    package var isFromHost: Bool
    /// The serial number of the request.
    package var serial: UInt32
    /// The name in the protocol; "no answer" without the expected message.
    package var name: String
    /// The fields by their names, without characters that cannot be printed.
    package var fields: String

    private static let mostCharacters = 4000
    private static let modules = ["ControlMessages.", "AudioUnits.", "Wire."]

    /// Makes a message whose `fields` may hold text that a plug-in has chosen.
    init(_ name: String, fields: String, serial: UInt32, process: Int32, isFromHost: Bool) {
        nanoseconds = MonotonicClock.now()
        (self.process, self.isFromHost, self.serial, self.name) = (process, isFromHost, serial, name)
        self.fields = PrintableText.cleaned(fields, limit: Self.mostCharacters)
    }

    /// Makes a message from its description: its name and its fields in brackets.
    init(_ name: String, describing message: String, serial: UInt32, process: Int32, isFromHost: Bool) {
        var fields = message.hasPrefix(name) ? String(message.dropFirst(name.count)) : message
        if fields.hasPrefix("("), fields.hasSuffix(")") { fields = String(fields.dropFirst().dropLast()) }
        // Bounded first: a state may have megabytes.
        fields = String(String.UnicodeScalarView(fields.unicodeScalars.prefix(Self.mostCharacters * 2)))
        for module in Self.modules { fields = fields.split(separator: module, omittingEmptySubsequences: false).joined() }
        self.init(name, fields: fields, serial: serial, process: process, isFromHost: isFromHost)
    }

    /// One line: the milliseconds since `start`, the direction, the name and the fields.
    package func line(since start: UInt64) -> String {
        let microseconds = (nanoseconds - min(start, nanoseconds)) / 1000
        let fraction = String(1000 + microseconds % 1000).dropFirst()
        let direction = isFromHost ? "host -> \(process)" : "\(process) -> host"
        return "\(microseconds / 1000).\(fraction) ms  \(direction)  \(name)\(fields.isEmpty ? "" : "  \(fields)")"
    }
}
