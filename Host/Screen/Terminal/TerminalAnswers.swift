// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a terminal says of itself when it is asked, whenever the answer comes. Main thread.

import Cells

/// What a terminal has said of itself so far.
struct TerminalAnswers: Equatable, Sendable {
    /// Whether it has said what it can do.
    private(set) var isComplete = false
    /// Whether it has told how many colours a picture may have, or that it does not know.
    private var hasToldColors = false
    /// Whether it shows sixels.
    private(set) var hasSixels = false
    /// The size of a cell, if it has told it.
    private(set) var cell = PixelSize.none
    /// The colours that a picture may have: as many as most terminals have, unless it has told how many it has.
    private(set) var colorCount = 256

    /// Asks what it can do: the primary device attributes.
    static let question = Array("\u{1B}[c".utf8)
    /// Asks for the size of a cell in pixels.
    static let cellQuestion = Array("\u{1B}[16t".utf8)
    /// Asks how many colours a picture may have.
    static let colorQuestion = Array("\u{1B}[?1;1;0S".utf8)
    /// The attribute of a terminal with sixels.
    private static let sixels = 4

    /// Whether all questions are answered that are asked of a terminal; one that tells pixels by itself is not asked for a cell.
    func isComplete(tellsPixels: Bool) -> Bool {
        isComplete && (!hasSixels || hasToldColors && (tellsPixels || !cell.isEmpty))
    }

    /// Takes the body and the last byte of a sequence; false if it is no answer.
    mutating func take(_ isPrivate: Bool, _ numbers: [Int], final: UInt8) -> Bool {
        if isPrivate, final == UInt8(ascii: "c") {
            // The first number is the kind of terminal.
            (isComplete, hasSixels) = (true, numbers.dropFirst().contains(Self.sixels))
            return true
        }
        if isPrivate, final == UInt8(ascii: "S") {
            hasToldColors = true
            // The second number is 0 where the question was understood.
            if numbers.count == 3, numbers[0] == 1, numbers[1] == 0 { colorCount = max(SixelPicture.leastColors, numbers[2]) }
            return true
        }
        guard !isPrivate, final == UInt8(ascii: "t"), numbers.count == 3, numbers[0] == 6 else { return false }
        if numbers[1...].allSatisfy((1...1000).contains) { cell = PixelSize(width: numbers[2], height: numbers[1]) }
        return true
    }
}
