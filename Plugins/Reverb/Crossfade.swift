// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The cross-fade from one room to another, in step for every delay of the reverb. Render thread.

/// A linear cross-fade, counted in frames.
///
/// A change of size or pre-delay cross-fades every delay to its new length. A glide would bend the pitch.
struct Crossfade {
    private(set) var isActive = false
    /// The share of the next delays in each of the next frames.
    private(set) var weights = Vector(repeating: 0)
    private var frame = 0
    private let frameCount: Int

    init(frameCount: Int) { self.frameCount = max(1, frameCount) }

    @_noLocks mutating func begin() {
        isActive = true
        frame = 0
    }

    @_noLocks mutating func prepare() {
        guard isActive else { return }
        for lane in 0..<16 { weights[lane] = min(1, Float(frame + lane) / Float(frameCount)) }
    }

    /// Advances by some frames; true if the cross-fade has just ended.
    @_noLocks mutating func advance(by frames: Int) -> Bool {
        guard isActive else { return false }
        frame += frames
        isActive = frame < frameCount
        return !isActive
    }

    @_noLocks mutating func reset() { isActive = false }
}
