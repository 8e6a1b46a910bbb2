// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bare rings side by side, one for each branch: the least cost of a plan with the same number of processes. Control thread.

import LinuxSystem
import PluginHosting

/// Rings that start together and end together.
///
/// One ring of one process is the floor.
final class FloorRings: Sendable {
    /// The most processes: more would take too long to start.
    private static let mostProcesses = 512

    let placement: UnitPlacement
    let rings: [FloorRing]
    let turns: FloorTurns
    // SAFETY: written here, read by the measuring thread while this object lives, freed in deinit.
    nonisolated(unsafe) private let states: UnsafeMutablePointer<FloorSharedState>

    /// Starts `count` rings of `peerCount` processes each, and waits until all threads run.
    init(_ count: Int, of peerCount: Int, placed placement: UnitPlacement) throws {
        self.placement = placement
        rings = try (0..<count).map { _ in try FloorRing(of: peerCount) }
        states = .allocate(capacity: count)
        for (index, ring) in rings.enumerated() { (states + index).initialize(to: ring.state) }
        turns = FloorTurns(states, count: count)
    }

    deinit { states.deallocate() }

    /// True if such rings exceed the floor and keep the limits.
    static func arePossible(_ count: Int, of peerCount: Int) -> Bool {
        (2...mostProcesses).contains(count * peerCount) && peerCount <= FloorSharedState.mostPeers
    }
}

/// The measuring thread's part in the rings.
///
/// Measured thread.
struct FloorTurns: @unchecked Sendable {
    // SAFETY: the owner keeps the shared states.
    private let rings: UnsafeMutablePointer<FloorSharedState>
    private let count: Int

    init(_ rings: UnsafeMutablePointer<FloorSharedState>, count: Int) { (self.rings, self.count) = (rings, count) }

    /// `[render]` Passes a turn to each ring, and sleeps until all have come back.
    ///
    /// It waits for the last ring first, as a plan does for its chains.
    @_noLocks
    func roundTrip() {
        for index in 0..<count { rings[index].begin() }
        for index in (0..<count).reversed() { rings[index].finish() }
    }
}
