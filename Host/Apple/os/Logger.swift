// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes messages of a part of a program to standard error. Any thread; not the render thread, which waits for nothing.

/// Writes messages of a part of a program to standard error.
///
/// Messages from the level `default` on are written; BULKHEAD_LOG names another level. A text is private unless it is marked, as it is on
/// Apple's systems: it appears as `<private>` unless BULKHEAD_LOG_PRIVATE is 1. A line is dropped and counted if standard error is full.
public struct Logger: Sendable {
    private let subsystem: String
    private let category: String

    /// Makes a logger of a category in a subsystem, such as `com.example.game`.
    public init(subsystem: String, category: String) { (self.subsystem, self.category) = (subsystem, category) }

    /// Makes a logger without a subsystem or a category.
    public init() { self.init(subsystem: "", category: "") }

    /// Writes a message at the level `default`.
    public func log(_ message: @autoclosure () -> OSLogMessage) { log(level: .default, message()) }

    /// Writes a message at a level.
    public func log(level: OSLogType, _ message: @autoclosure () -> OSLogMessage) {
        guard LogOutput.standard.isWritten(level) else { return }
        LogOutput.standard.write(message(), level, subsystem, category)
    }

    /// Writes a message at the level `debug`.
    public func trace(_ message: @autoclosure () -> OSLogMessage) { log(level: .debug, message()) }

    /// Writes a message at the level `debug`.
    public func debug(_ message: @autoclosure () -> OSLogMessage) { log(level: .debug, message()) }

    /// Writes a message at the level `info`.
    public func info(_ message: @autoclosure () -> OSLogMessage) { log(level: .info, message()) }

    /// Writes a message at the level `default`.
    public func notice(_ message: @autoclosure () -> OSLogMessage) { log(level: .default, message()) }

    /// Writes a message at the level `error`.
    public func warning(_ message: @autoclosure () -> OSLogMessage) { log(level: .error, message()) }

    /// Writes a message at the level `error`.
    public func error(_ message: @autoclosure () -> OSLogMessage) { log(level: .error, message()) }

    /// Writes a message at the level `fault`.
    public func critical(_ message: @autoclosure () -> OSLogMessage) { log(level: .fault, message()) }

    /// Writes a message at the level `fault`.
    public func fault(_ message: @autoclosure () -> OSLogMessage) { log(level: .fault, message()) }
}
