// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long a unit stays unheard after a gap in its input: until its own past has come out of it. Render thread.

/// The frames that a unit renders before it is heard again.
///
/// After a gap in its input a unit with a latency first puts out what it held from before the gap, which would be heard as a click.
/// What it waits for it pays with frames in which it is heard. So a unit that has gaps all the time is heard for four fifths of it all
/// the same, clicks included.
struct ReturnWait {
    /// The frames for which it still stays unheard.
    private(set) var frameCount = 0
    /// The frames in which it has been heard and which pay for waits; below 0 it has waited for more.
    private var credit: Int
    private var hasMissedBlock = false
    /// Half a second in frames: it never waits longer at once.
    private let longest: Int

    /// Heard frames that pay for one frame of waiting.
    private static var price: Int { @_noLocks get { 4 } }

    /// A unit that has been heard for two seconds.
    init(sampleRate: Double) {
        longest = Int(sampleRate / 2)
        credit = Self.price * longest
    }

    /// Notes at the beginning of a cycle whether the unit renders in it, and begins to wait if it has missed the block before.
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

    /// The unit has no more latency than this.
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

    /// The unit begins anew, without a past.
    @_noLocks
    mutating func end() { frameCount = 0 }
}
