// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The events so far, line by line. The screen's thread.

/// The last lines of the event log.
package struct ScreenLog: Equatable, Sendable {
    package enum Kind: Sendable {
        case done, told, trouble
    }

    package struct Line: Equatable, Sendable {
        /// The time of the day, such as 12:03:44.
        package var clock: String
        package var text: String
        package var kind: Kind
        /// The time of its arrival, on the clock of the model.
        package var time: Double
    }

    /// The most lines that are kept.
    private static let most = 500

    package private(set) var lines: [Line] = []

    package init() {}

    package mutating func add(_ text: String, _ kind: Kind, clock: String, time: Double) {
        lines.append(Line(clock: clock, text: text, kind: kind, time: time))
        if lines.count > Self.most { lines.removeFirst(lines.count - Self.most) }
    }
}
