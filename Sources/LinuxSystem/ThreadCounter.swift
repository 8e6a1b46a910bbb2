// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernel's counts of one thread in any process: switches and page faults. Any thread but a render thread.

import Glibc

/// Counts since the start of a thread.
public struct ThreadCounts: Hashable, Sendable {
    /// The switches by which the thread went to sleep, and those by which another thread took the processor.
    public var voluntarySwitches = 0, involuntarySwitches = 0
    /// Page faults without and with a read from a disk.
    public var minorFaults = 0, majorFaults = 0

    /// Makes counts of zero.
    public init() {}

    /// The counts between two readings.
    public static func - (left: Self, right: Self) -> Self {
        var counts = left
        counts.voluntarySwitches -= right.voluntarySwitches
        counts.involuntarySwitches -= right.involuntarySwitches
        counts.minorFaults -= right.minorFaults
        counts.majorFaults -= right.majorFaults
        return counts
    }

    /// Adds counts.
    public static func += (left: inout Self, right: Self) {
        left.voluntarySwitches += right.voluntarySwitches
        left.involuntarySwitches += right.involuntarySwitches
        left.minorFaults += right.minorFaults
        left.majorFaults += right.majorFaults
    }
}

/// Reads the counts of one thread repeatedly, from its `status` and `stat` in /proc.
public final class ThreadCounter: @unchecked Sendable {
    // SAFETY: one thread at a time uses the buffer; the owner ensures that.
    private let buffer: UnsafeMutableRawBufferPointer
    private let status, stat: Descriptor

    /// Opens the files of a thread; throws `SystemError` if it is gone.
    public init(thread: pid_t, of process: pid_t) throws(SystemError) {
        let folder = "/proc/\(process)/task/\(thread)"
        status = try Self.file("\(folder)/status")
        stat = try Self.file("\(folder)/stat")
        buffer = .allocate(byteCount: 4096, alignment: 16)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { buffer.deallocate() }

    private static func file(_ path: String) throws(SystemError) -> Descriptor {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("read \"\(path)\"") }
        return Descriptor(owning: number)
    }

    /// The present counts, read without allocating; nil once the thread is gone.
    public var counts: ThreadCounts? {
        var counts = ThreadCounts()
        guard let text = read(status), let voluntary = Self.number(after: "\nvoluntary_ctxt_switches:", in: text),
            let involuntary = Self.number(after: "\nnonvoluntary_ctxt_switches:", in: text)
        else { return nil }
        (counts.voluntarySwitches, counts.involuntarySwitches) = (voluntary, involuntary)
        // The name in parentheses may contain anything. The eighth field after it is minflt, the tenth majflt.
        guard let text = read(stat), let end = text.lastIndex(of: UInt8(ascii: ")")),
            let minor = Self.number(field: 8, after: end, in: text), let major = Self.number(field: 10, after: end, in: text)
        else { return nil }
        (counts.minorFaults, counts.majorFaults) = (minor, major)
        return counts
    }

    private func read(_ file: borrowing Descriptor) -> UnsafeRawBufferPointer? {
        let count = SystemCall.read(file.number, at: 0, into: buffer)
        return count > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<count]) : nil
    }

    private static func number(after word: StaticString, in text: UnsafeRawBufferPointer) -> Int? {
        let length = word.utf8CodeUnitCount
        guard text.count > length else { return nil }
        for start in 0..<(text.count - length) {
            guard text[start] == word.utf8Start[0], memcmp(text.baseAddress! + start, word.utf8Start, length) == 0 else { continue }
            return number(at: start + length, in: text)
        }
        return nil
    }

    private static func number(field: Int, after end: Int, in text: UnsafeRawBufferPointer) -> Int? {
        var spaces = 0
        for index in end..<text.count where text[index] == 0x20 {
            spaces += 1
            if spaces == field { return number(at: index, in: text) }
        }
        return nil
    }

    /// Reads the number after some white space.
    private static func number(at start: Int, in text: UnsafeRawBufferPointer) -> Int? {
        var index = start
        while index < text.count, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
        var value: Int?
        while index < text.count, case let digit = Int(text[index]) - 0x30, (0...9).contains(digit) {
            value = (value ?? 0) &* 10 &+ digit
            index += 1
        }
        return value
    }
}
