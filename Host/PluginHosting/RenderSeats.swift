// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The places of all units of a chain on the render core. The deadline watch, or else the supervisor.

/// Looks after the seats of a chain's units.
final class RenderSeats: Sendable {
    // SAFETY: the renderers outlive the chain's core, and with it the watch; of them only the seats' atomics are used.
    nonisolated(unsafe) private let renderers: [UnsafeMutablePointer<UnitRenderer>]

    init(of renderers: [UnsafeMutablePointer<UnitRenderer>]) { self.renderers = renderers }

    /// Does what the render thread has asked for.
    func attend() { for renderer in renderers where renderer.pointee.seat.needsAttention { renderer.pointee.seat.attend() } }
}
