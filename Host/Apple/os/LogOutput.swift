// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The lines of the log: which are written, how they look, and where they go. Any thread.

import Glibc
import Printing

/// The lines of the log.
struct LogOutput: Sendable {
    /// The log of this process, as the environment asks for it.
    static let standard = LogOutput(level: variable("BULKHEAD_LOG"), showsPrivate: variable("BULKHEAD_LOG_PRIVATE") == "1")

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private let least: OSLogType
    private let showsPrivate: Bool
    private let lines = OfferedLines()

    /// Makes a log that begins at a level; without one or with an unknown word, at `default`.
    init(level: String?, showsPrivate: Bool) {
        let levels = [OSLogType.debug, .info, .error, .fault]
        (least, self.showsPrivate) = (levels.first { $0.word == level } ?? .default, showsPrivate)
    }

    /// Whether messages of a level are written.
    func isWritten(_ level: OSLogType) -> Bool { level.rank >= least.rank }

    /// Writes a message.
    func write(_ message: OSLogMessage, _ level: OSLogType, _ subsystem: String, _ category: String) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        lines.offer(line(message, level, subsystem, category, at: now))
    }

    /// The line of a message: local time, level, subsystem, category, and the text.
    ///
    /// Further lines of a text are indented, so that no value can pretend to be a message of its own.
    func line(
        _ message: OSLogMessage, _ level: OSLogType, _ subsystem: String, _ category: String, at time: timespec
    ) -> String {
        let source = [subsystem, category].filter { !$0.isEmpty }.joined(separator: ":")
        let text = PrintableText.shown(message.text(showingPrivate: showsPrivate), keeping: ["\n", "\t"])
            .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n    ")
        let place = source.isEmpty ? "" : "[\(PrintableText.cleaned(source))] "
        return "\(Self.clock(time)) \(level.word) \(place)\(text)"
    }

    /// A time as `2026-11-28 20:50:28.123`.
    private static func clock(_ time: timespec) -> String {
        var (seconds, parts) = (time.tv_sec, tm())
        localtime_r(&seconds, &parts)
        var bytes = [CChar](repeating: 0, count: 32)
        let count = strftime(&bytes, bytes.count, "%Y-%m-%d %H:%M:%S", &parts)
        let whole = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "\(whole).\(OSLogIntegerFormatting.decimal(minDigits: 3).text(of: time.tv_nsec / 1_000_000))"
    }
}
