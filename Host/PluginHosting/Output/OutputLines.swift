// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes lines of one process's output: cleaned, cut, and limited in number. Output thread.

import Glibc
import Printing

/// The output of one process.
struct OutputLines {
    /// The most characters of a line, and of the plug-in's name before it.
    static let (longestLine, longestName) = (500, 80)
    /// The most kept bytes of a line; a character has at most four.
    private static let longestByteCount = 4 * longestLine + 1
    /// The nanoseconds before a line without an end is shown, and before a notice about dropped bytes.
    static let (patience, noticeDelay): (UInt64, UInt64) = (1_000_000_000, 5_000_000_000)

    private let plugin: String
    private var allowance: OutputAllowance
    /// The beginning of a line without an end, and the time of its arrival.
    private var pending: [UInt8] = []
    private var pendingSince: UInt64 = 0
    /// True if the rest of the present line is dropped, because its beginning was.
    private var isSkipping = false
    /// The dropped bytes without a notice yet, and the time of the first.
    private var leftOutByteCount = 0
    private var leftOutSince: UInt64 = 0
    /// True if some of the bytes of the last call of `take` are dropped.
    private(set) var isTooMuch = false

    init(of plugin: String, now: UInt64) {
        self.plugin = PrintableText.cleaned(plugin, limit: Self.longestName)
        allowance = OutputAllowance(now: now)
    }

    /// Takes bytes, and returns the lines to show now.
    mutating func take(_ bytes: UnsafeRawBufferPointer, now: UInt64) -> [PluginOutput] {
        isTooMuch = false
        var shown: [PluginOutput] = []
        var rest = bytes
        while let first = rest.baseAddress, !rest.isEmpty {
            let end = memchr(first, 0x0A, rest.count).map { first.distance(to: UnsafeRawPointer($0)) } ?? rest.count
            append(UnsafeRawBufferPointer(rebasing: rest[..<end]), now)
            guard end < rest.count else { break }
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            isSkipping = false
            switch endLine(now) {
            case .blank: continue
            case .line(let line): shown.append(line)
            case .unaffordable:
                // The rest is too much as well, and is not read line by line.
                leaveOut(rest.count, now)
                isSkipping = rest.last.map { $0 != 0x0A } ?? false
                return shown
            }
        }
        return shown
    }

    /// Returns the lines that are due with time: a line without an end, and a notice about dropped bytes.
    ///
    /// With `isOver` no more bytes can follow.
    mutating func takeDue(now: UInt64, isOver: Bool = false) -> [PluginOutput] {
        var shown: [PluginOutput] = []
        if !pending.isEmpty, isOver || now >= pendingSince + Self.patience, case .line(let line) = endLine(now) {
            shown.append(line)
        }
        if leftOutByteCount > 0, isOver || now >= leftOutSince + Self.noticeDelay {
            shown.append(.leftOut(plugin: plugin, byteCount: leftOutByteCount))
            leftOutByteCount = 0
        }
        return shown
    }

    /// The time at which a line is due without further bytes; nil without one.
    var due: UInt64? {
        let line = pending.isEmpty ? nil : pendingSince + Self.patience
        let notice = leftOutByteCount == 0 ? nil : leftOutSince + Self.noticeDelay
        return [line, notice].compactMap { $0 }.min()
    }

    private enum Ending {
        case blank, unaffordable
        case line(PluginOutput)
    }

    private mutating func append(_ piece: UnsafeRawBufferPointer, _ now: UInt64) {
        if pending.isEmpty { pendingSince = now }
        let kept = isSkipping ? 0 : min(piece.count, Self.longestByteCount - pending.count)
        pending += piece.prefix(kept)
        leaveOut(piece.count - kept, now)
    }

    /// Makes a line of the pending bytes.
    private mutating func endLine(_ now: UInt64) -> Ending {
        defer { pending.removeAll(keepingCapacity: true) }
        let text = PrintableText.cleaned(String(decoding: pending, as: UTF8.self), limit: Self.longestLine)
        guard let last = text.lastIndex(where: { $0 != " " }) else { return allowance.pay(1, now: now) ? .blank : .unaffordable }
        let line = PluginOutput.line(plugin: plugin, text: String(text[...last]))
        // The extra bytes are for the line feed, and for the name that the host may put before a line.
        guard allowance.pay(line.description.utf8.count + 16, now: now) else {
            leaveOut(pending.count + 1, now)
            return .unaffordable
        }
        // A character that cannot be shown becomes another one, which may have more bytes.
        let cut = text.unicodeScalars.dropFirst(Self.longestLine)
        if !cut.isEmpty { leaveOut(max(1, pending.count - text.utf8.count + String(cut).utf8.count), now) }
        return .line(line)
    }

    private mutating func leaveOut(_ byteCount: Int, _ now: UInt64) {
        guard byteCount > 0 else { return }
        if leftOutByteCount == 0 { leftOutSince = now }
        isTooMuch = true
        leftOutByteCount += byteCount
    }
}
