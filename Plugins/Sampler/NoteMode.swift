// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The modes of a channel's notes: mono, legato and portamento, and the keys that are down. Render thread.

/// Mono and poly mode, legato and portamento of a channel.
///
/// FluidSynth has these modes in one synthesizer, but the notes of a channel are spread over several. So the sampler does them.
struct NoteMode: BitwiseCopyable {
    /// True in mono mode, controllers 126 and 127.
    var isMono = false
    /// True while the legato pedal is down, controller 68.
    var isLegato = false
    /// True while portamento is on, controller 65.
    var hasPortamento = false
    /// The time of a glide, controllers 5 and 37.
    var (timeMSB, timeLSB): (Int32, Int32) = (0, 0)
    /// The key from which the next note glides, controller 84; below 0 for none.
    var portamentoSource: Int32 = -1
    /// The key of the last note; below 0 for none.
    var lastKey: Int32 = -1
    /// The key with which the sounding note of mono mode began, which its end must name.
    var startedKey: Int32 = -1

    /// The keys that are down in mono mode, in their order, and their velocities.
    private var keys = SIMD16<UInt8>()
    private var velocities = SIMD16<UInt8>()
    private(set) var heldCount = 0

    @_noLocks init() {}

    /// True if one note sounds at a time; the legato pedal also does that.
    var playsOneNote: Bool { @_noLocks get { isMono || isLegato } }

    /// The seconds of a glide: the cube of the position, and 4 s at its end.
    var glideSeconds: Float {
        @_noLocks get {
            let position = (Float(timeMSB) + Float(timeLSB) / 128) / 127
            return 4 * position * position * position
        }
    }

    /// The key from which a note glides; nil without portamento.
    @_noLocks mutating func glideStart(to key: Int32) -> Int32? {
        defer { portamentoSource = -1 }
        let start = portamentoSource >= 0 ? portamentoSource : hasPortamento ? lastKey : -1
        return start >= 0 && start != key && (timeMSB > 0 || timeLSB > 0) ? start : nil
    }

    /// Forgets the keys that are down.
    @_noLocks mutating func releaseKeys() { (heldCount, startedKey) = (0, -1) }

    /// Adds a key; of more than sixteen, the first is forgotten.
    @_noLocks mutating func push(_ key: Int32, _ velocity: Int32) {
        _ = remove(key)
        if heldCount == 16 { removeKey(at: 0) }
        keys[heldCount] = UInt8(truncatingIfNeeded: key)
        velocities[heldCount] = UInt8(truncatingIfNeeded: velocity)
        heldCount += 1
    }

    /// Removes a key; true if it was the last one that was struck.
    @_noLocks mutating func remove(_ key: Int32) -> Bool {
        for index in 0..<heldCount where Int32(keys[index]) == key {
            removeKey(at: index)
            return index == heldCount
        }
        return false
    }

    /// The key that was struck last, and its velocity; nil while no key is down.
    var last: (key: Int32, velocity: Int32)? {
        @_noLocks get { heldCount > 0 ? (Int32(keys[heldCount - 1]), Int32(velocities[heldCount - 1])) : nil }
    }

    @_noLocks private mutating func removeKey(at index: Int) {
        for later in index + 1..<max(index + 1, heldCount) {
            (keys[later - 1], velocities[later - 1]) = (keys[later], velocities[later])
        }
        heldCount -= 1
    }
}
