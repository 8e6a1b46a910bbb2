// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps the chain that is being played in a file, from which it can be resumed whatever ended the command. Main thread.

import Console
import LinuxSystem
import PluginHosting

/// Writes a chain to its file when something has changed, at most once a second.
struct SessionKeeper {
    private static let interval: UInt64 = 1_000_000_000

    /// Nil when nothing is to be kept.
    private var path: String?
    private var revision: Int?
    private var due: UInt64 = 0

    /// `command` is the one that plays; nil for one that cannot be resumed.
    init(_ command: String?) { path = command.flatMap(Self.path) }

    /// The file of a command, if there is a place for it.
    static func path(of command: String) -> String? {
        Installation.current.stateFolder.map { "\($0)/\(command).json" }
    }

    /// Whether the chain has changed since it was kept.
    func isDue(_ chain: UnitChain) -> Bool { path != nil && !chain.members.isEmpty && chain.stateRevision != revision }

    /// Keeps the chain as it is now. What cannot be written is said once, and not tried again.
    mutating func keep(_ chain: UnitChain, _ units: () throws -> [SavedUnit]) {
        let now = MonotonicClock.now()
        let current = chain.stateRevision
        guard let path, now >= due, isDue(chain) else { return }
        (due, revision) = (now + Self.interval, current)
        do {
            try SavedChain(try units()).keep(at: path)
        } catch {
            Terminal.printError(error)
            self.path = nil
        }
    }
}
