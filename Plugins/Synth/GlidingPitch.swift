// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pitch of a voice, which glides from one key to another. Render thread.

import PluginSDK

/// A pitch in keys, which moves once a period.
struct GlidingPitch: BitwiseCopyable {
    private var (current, target, step): (Float, Float, Float) = (60, 60, 0)

    @_noLocks init() {}

    /// Starts at the key of the note before, or at the note's own.
    @_noLocks mutating func start(_ note: Note, _ patch: SynthPatch) {
        current = patch.glideFrameCount > 0 ? Float(note.previousKey) : Float(note.key)
        glide(to: note, patch)
    }

    /// Glides from the present pitch to another key.
    @_noLocks mutating func glide(to note: Note, _ patch: SynthPatch) {
        target = Float(note.key)
        step = (target - current) * min(1, Float(SynthPatch.period) / max(1, patch.glideFrameCount))
    }

    /// Returns the pitch and advances by a period.
    @_noLocks mutating func next() -> Float {
        let present = current
        current += step
        if (step > 0 && current >= target) || (step < 0 && current <= target) { (current, step) = (target, 0) }
        return present
    }
}
