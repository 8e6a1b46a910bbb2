// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bare rings side by side, as many as there are branches: what no plan of so many processes can do without. Control thread.

import LinuxSystem
import PluginHosting

/// Rings that are begun together and waited for together. A single one of a single process is the floor.
final class FloorRings: Sendable {
    /// Beyond so many processes nobody wants to wait for their start.
    private static let mostProcesses = 512

    let placement: UnitPlacement
    let rings: [FloorRing]
    let turns: FloorTurns
    // SAFETY: written here, read by the measuring thread while this lives, freed at the end.
    nonisolated(unsafe) private let words: UnsafeMutablePointer<FloorWords>

    /// Starts `count` rings of `peerCount` processes each, and waits until they are there.
    init(_ count: Int, of peerCount: Int, placed placement: UnitPlacement) throws {
        self.placement = placement
        rings = try (0..<count).map { _ in try FloorRing(of: peerCount) }
        words = .allocate(capacity: count)
        for (index, ring) in rings.enumerated() { (words + index).initialize(to: ring.words) }
        turns = FloorTurns(words, count: count)
    }

    deinit { words.deallocate() }

    /// Whether so many rings of so many processes are more than the floor, and can be had.
    static func arePossible(_ count: Int, of peerCount: Int) -> Bool {
        (2...mostProcesses).contains(count * peerCount) && peerCount <= FloorWords.mostPeers
    }
}

/// What the measuring thread does with rings side by side. Measured thread.
struct FloorTurns: @unchecked Sendable {
    // SAFETY: whoever makes one keeps the words.
    private let rings: UnsafeMutablePointer<FloorWords>
    private let count: Int

    init(_ rings: UnsafeMutablePointer<FloorWords>, count: Int) { (self.rings, self.count) = (rings, count) }

    /// `[render]` Hands a turn to each ring and sleeps until all have come back: first for the last one, as a plan does with its
    /// chains.
    @_noLocks
    func roundTrip() {
        for index in 0..<count { rings[index].begin() }
        for index in (0..<count).reversed() { rings[index].finish() }
    }
}
