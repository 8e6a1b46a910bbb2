// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A terminal's replies about itself, at any time. Main thread.

import Cells

/// A terminal's replies so far.
struct TerminalAnswers: Equatable, Sendable {
    /// True if it has reported its attributes.
    private(set) var isComplete = false
    /// True if it has replied to the question for colours.
    private var hasToldColors = false
    /// True if it shows sixels.
    private(set) var hasSixels = false
    /// The size of a cell, if it is reported.
    private(set) var cell = PixelSize.none
    /// The number of colours for a picture: the reported one, or otherwise the usual one.
    private(set) var colorCount = 256

    /// Requests the primary device attributes.
    static let question = Array("\u{1B}[c".utf8)
    /// Requests the size of a cell in pixels.
    static let cellQuestion = Array("\u{1B}[16t".utf8)
    /// Requests the number of colours for a picture.
    static let colorQuestion = Array("\u{1B}[?1;1;0S".utf8)
    /// The attribute for sixels.
    private static let sixels = 4

    /// True if all requests have replies; a terminal that reports its pixels by itself is not asked for a cell.
    func isComplete(tellsPixels: Bool) -> Bool {
        isComplete && (!hasSixels || hasToldColors && (tellsPixels || !cell.isEmpty))
    }

    /// Takes the body and the last byte of a sequence; false if it is no reply.
    mutating func take(_ isPrivate: Bool, _ numbers: [Int], final: UInt8) -> Bool {
        if isPrivate, final == UInt8(ascii: "c") {
            // The first number is the kind of terminal.
            (isComplete, hasSixels) = (true, numbers.dropFirst().contains(Self.sixels))
            return true
        }
        if isPrivate, final == UInt8(ascii: "S") {
            hasToldColors = true
            // The second number is 0 if the request was understood.
            if numbers.count == 3, numbers[0] == 1, numbers[1] == 0 { colorCount = max(SixelPicture.leastColors, numbers[2]) }
            return true
        }
        guard !isPrivate, final == UInt8(ascii: "t"), numbers.count == 3, numbers[0] == 6 else { return false }
        if numbers[1...].allSatisfy((1...1000).contains) { cell = PixelSize(width: numbers[2], height: numbers[1]) }
        return true
    }
}
