// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps a unit unheard after a gap in its input, until the audio from before the gap has left it. Render thread.

/// The frames that a unit renders before it is heard again.
///
/// After a gap in its input, a unit with a latency first puts out audio from before the gap, which would click. It pays for this
/// wait with frames in which it is heard. So a unit with gaps all the time is still heard for four fifths of it, clicks included.
struct ReturnWait {
    /// The frames for which it stays unheard.
    private(set) var frameCount = 0
    /// The heard frames that pay for waits; below 0 the waits were longer than that.
    private var credit: Int
    private var hasMissedBlock = false
    /// The longest wait: half a second in frames.
    private let longest: Int

    /// The number of heard frames that pay for one frame of waiting.
    private static var price: Int { @_noLocks get { 4 } }

    /// Starts with the credit of two heard seconds.
    init(sampleRate: Double) {
        // Cannot trap: the unit has taken the rate.
        longest = Int(sampleRate / 2)
        credit = Self.price * longest
    }

    /// Notes whether the unit renders in a new cycle, and begins to wait if it has missed the block before.
    @_noLocks
    mutating func beginCycle(isUsable: Bool, latencyFrameCount: Int, isOffline: Bool) {
        if isOffline {
            frameCount = 0
        } else if isUsable, hasMissedBlock, credit > 0 {
            frameCount = min(latencyFrameCount, longest)
        }
        hasMissedBlock = !isUsable
    }

    /// Notes that a block of the unit was not rendered at all.
    @_noLocks
    mutating func noteMissedBlock() { hasMissedBlock = true }

    /// Limits the wait to the unit's latency.
    @_noLocks
    mutating func limit(to latencyFrameCount: Int) { frameCount = min(frameCount, latencyFrameCount) }

    /// Counts a block that the unit has rendered, as heard or not.
    @_noLocks
    mutating func count(_ rendered: Int, isHeard: Bool) {
        if isHeard {
            credit = min(credit &+ rendered, Self.price &* longest)
        } else if frameCount > 0 {
            credit = max(credit &- Self.price &* rendered, -Self.price &* longest)
            frameCount = max(0, frameCount &- rendered)
        }
    }

    /// Ends the wait: the unit begins anew, without a past.
    @_noLocks
    mutating func end() { frameCount = 0 }
}
