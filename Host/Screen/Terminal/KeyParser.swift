// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Parses a terminal's bytes into keys: escape sequences of all usual terminals, the mouse, pasted text. Any thread.

/// Parses keys from bytes; any other bytes are dropped.
package struct KeyParser {
    private var bytes: [UInt8] = []
    /// The text of a paste that has not ended.
    private var pasted: [UInt8]?
    /// The terminal's reports about itself.
    private(set) var answers: TerminalAnswers
    /// The number of its status reports.
    private var reportCount = 0

    /// The most bytes of a sequence, and of a pasted text.
    private static let longestSequence = 64
    private static let longestPaste = 65_536
    /// The start of a sequence, which is not a key yet: a reply of the terminal may arrive in parts.
    private static let sequenceBegin = Array("\u{1B}[".utf8)
    /// The status report "ready".
    private static let report = Array("\u{1B}[0n".utf8)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    package init() { self.init(knowing: TerminalAnswers()) }

    /// Makes a parser for a terminal that has already reported about itself.
    init(knowing answers: TerminalAnswers) { self.answers = answers }

    /// True if a sequence has begun: if nothing follows, it was the Escape key.
    package var isWaiting: Bool { !bytes.isEmpty && pasted == nil }

    /// Takes bytes, and returns the complete keys.
    package mutating func take(_ more: some Sequence<UInt8>) -> [ScreenKey] {
        bytes += more
        var keys: [ScreenKey] = []
        while !bytes.isEmpty {
            let count = bytes.count
            if pasted != nil { takePasted(&keys) } else { takeKey(&keys) }
            if bytes.count == count { break }
        }
        return keys
    }

    /// Completes a sequence, because nothing has followed for a while.
    package mutating func settle() -> [ScreenKey] {
        // The rest of a reply may arrive late; as keys it would have another meaning.
        guard isWaiting, !bytes.starts(with: Self.sequenceBegin) else { return [] }
        let isEscape = bytes == [0x1B]
        bytes = []
        return isEscape ? [.escape] : []
    }

    /// The number of status reports since the last call.
    mutating func takeReportCount() -> Int {
        defer { reportCount = 0 }
        return reportCount
    }

    private mutating func takePasted(_ keys: inout [ScreenKey]) {
        guard let end = bytes.firstRange(of: Self.pasteEnd) else {
            // The mark of the end may have arrived in part.
            let rest = min(bytes.count, Self.pasteEnd.count - 1)
            pasted? += bytes.dropLast(rest)
            bytes.removeFirst(bytes.count - rest)
            pasted = pasted.map { Array($0.prefix(Self.longestPaste)) }
            return
        }
        var text = (pasted ?? []) + bytes[..<end.lowerBound]
        bytes.removeFirst(end.upperBound)
        pasted = nil
        // A program that passes the text on in pieces may insert replies.
        while let report = text.firstRange(of: Self.report) {
            text.removeSubrange(report)
            reportCount += 1
        }
        keys.append(.paste(String(decoding: text, as: UTF8.self)))
    }

    private mutating func takeKey(_ keys: inout [ScreenKey]) {
        let first = bytes[0]
        if first == 0x1B { return takeSequence(&keys) }
        if first < 0x80 {
            bytes.removeFirst()
            if let key = Self.key(first) { keys.append(key) }
            return
        }
        takeCharacter(&keys)
    }

    private static func key(_ byte: UInt8) -> ScreenKey? {
        switch byte {
        case 0x0D, 0x0A: .enter
        case 0x09: .tab
        case 0x7F, 0x08: .backspace
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x20..<0x7F: .character(Unicode.Scalar(byte))
        default: nil
        }
    }

    /// Takes a character of several bytes.
    private mutating func takeCharacter(_ keys: inout [ScreenKey]) {
        let length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC2 ? 2 : 1
        let rest = bytes.dropFirst().prefix(length - 1)
        guard length > 1, rest.allSatisfy({ $0 & 0xC0 == 0x80 }) else {
            bytes.removeFirst()
            return
        }
        guard rest.count == length - 1 else { return }
        let text = String(decoding: bytes.prefix(length), as: UTF8.self)
        bytes.removeFirst(length)
        if let character = text.unicodeScalars.first, character != "\u{FFFD}" { keys.append(.character(character)) }
    }

    private mutating func takeSequence(_ keys: inout [ScreenKey]) {
        guard bytes.count > 1 else { return }
        switch bytes[1] {
        case 0x1B:
            bytes.removeFirst()
            keys.append(.escape)
        case UInt8(ascii: "["): takeControlSequence(&keys)
        case UInt8(ascii: "O"):
            guard bytes.count > 2 else { return }
            if let key = Self.key(final: bytes[2], []) { keys.append(key) }
            bytes.removeFirst(3)
        default:
            // A key with Alt has no meaning here.
            bytes.removeFirst(2)
        }
    }

    private mutating func takeControlSequence(_ keys: inout [ScreenKey]) {
        // The Linux console sends its function keys with a second bracket.
        if bytes.count > 2, bytes[2] == UInt8(ascii: "[") {
            if bytes.count > 3 { bytes.removeFirst(4) }
            return
        }
        guard let end = bytes.dropFirst(2).firstIndex(where: { !(0x20..<0x40).contains($0) }) else {
            if bytes.count > Self.longestSequence { bytes.removeFirst(bytes.count) }
            return
        }
        let (body, final) = (bytes[2..<end], bytes[end])
        // A byte that ends no sequence is parsed by itself.
        bytes.removeFirst((0x40..<0x7F).contains(final) ? end + 1 : end)
        guard (0x40..<0x7F).contains(final) else { return }
        if body.first == UInt8(ascii: "<") {
            if let mouse = Self.mouse(body.dropFirst(), isRelease: final == UInt8(ascii: "m")) { keys.append(.mouse(mouse)) }
            return
        }
        let numbers = Self.numbers(body)
        if answers.take(body.first == UInt8(ascii: "?"), numbers, final: final) { return }
        if final == UInt8(ascii: "n"), numbers == [0] || numbers == [3] {
            reportCount += 1
        } else if final == UInt8(ascii: "~"), numbers.first == 200 {
            pasted = []
        } else if let key = Self.key(final: final, numbers) {
            keys.append(key)
        }
    }

    private static func numbers(_ body: ArraySlice<UInt8>) -> [Int] {
        body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            $0.reduce(0) { (0x30..<0x3A).contains($1) ? min(100_000, $0 * 10 + Int($1) - 0x30) : $0 }
        }
    }

    private static func key(final: UInt8, _ numbers: [Int]) -> ScreenKey? {
        // The second number is 1 plus the sum of the held keys: Shift is 1.
        let isShifted = numbers.count > 1 && numbers[1] > 0 && (numbers[1] - 1) & 1 == 1
        switch final {
        case UInt8(ascii: "A"): return isShifted ? .shiftUp : .up
        case UInt8(ascii: "B"): return isShifted ? .shiftDown : .down
        case UInt8(ascii: "C"): return isShifted ? .shiftRight : .right
        case UInt8(ascii: "D"): return isShifted ? .shiftLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "M"): return .enter
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "~"):
            return [1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end][numbers.first ?? 0]
        default: return nil
        }
    }

    private static func mouse(_ body: ArraySlice<UInt8>, isRelease: Bool) -> ScreenMouse? {
        let numbers = numbers(body)
        guard numbers.count == 3 else { return nil }
        let (button, column, row) = (numbers[0], max(0, numbers[1] - 1), max(0, numbers[2] - 1))
        if button & 64 != 0 {
            guard !isRelease, button & 3 < 2 else { return nil }
            return ScreenMouse(button & 3 == 0 ? .wheelUp : .wheelDown, column: column, row: row)
        }
        // Only the left button has a function.
        guard button & 3 == 0 || isRelease else { return nil }
        return ScreenMouse(isRelease ? .release : button & 32 != 0 ? .drag : .press, column: column, row: row)
    }
}
