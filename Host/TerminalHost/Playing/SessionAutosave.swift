// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Saves the session into a file, so that `--resume` works after any end of the command. Main thread.

import Console
import Control
import LinuxSystem
import PluginHosting

/// Writes a session to its file after changes, at most once a second.
struct SessionAutosave: ~Copyable {
    private static let interval: UInt64 = 1_000_000_000
    /// The pause after a failure, in nanoseconds.
    private static let pause: UInt64 = 5_000_000_000

    /// The path of the file; nil if the session is not kept.
    private var path: String?
    private var kept: Session.Change?
    private var due: UInt64 = 0
    /// The message about the last failure; nil after a success.
    private var failure: String?
    /// True once a message has said that the file has no seal.
    private var hasToldOfSeal = false
    /// The lock of the file; nil before the first write.
    private var lock: SessionLock?

    /// Keeps sessions for the command of this name; nil if it cannot be resumed.
    init(_ command: String?) { path = command.flatMap(Self.path) }

    /// The path of a command's file; nil if there is no folder for it.
    static func path(of command: String) -> String? {
        Installation.current.stateFolder.map { "\($0)/\(command).json" }
    }

    /// True if the session has changed since the last write.
    func isDue(_ session: Session) -> Bool { path != nil && session.isWorthKeeping && session.change != kept }

    private mutating func takeLock(_ path: String) -> Bool {
        if lock == nil { lock = SessionLock(besides: path) }
        return lock != nil
    }

    /// Writes the session as it is now.
    ///
    /// After a failure, such as that of a full disk, it prints the reason once and tries again every five seconds. The last call does not
    /// wait, and prints its own failure.
    mutating func save(_ session: Session, isLast: Bool = false) {
        let now = MonotonicClock.now()
        let current = session.change
        guard let path, isLast || now >= due, isDue(session) else { return }
        let former = kept
        (due, kept) = (now + Self.interval, current)
        guard takeLock(path) else {
            Terminal.printError(
                "Another command keeps its chain in \"\(path)\", so this one's is not kept for --resume. "
                    + "Give each `bulkhead live` a --name of its own.")
            self.path = nil
            return
        }
        do {
            let complaint = try session.keep(at: path)
            if let complaint, !hasToldOfSeal { Terminal.printError(complaint) }
            hasToldOfSeal = complaint != nil
            if failure != nil { Terminal.printError("The chain is kept for --resume again, in \"\(path)\".") }
            failure = nil
        } catch {
            (due, kept) = (now + Self.pause, former)
            let reason = Terminal.sentence(of: error)
            if reason != failure || isLast { Terminal.printError(reason) }
            failure = reason
        }
    }
}
