// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pitches of one synthesizer's notes: tunings and glides. Render thread.

import CFluidSynth

/// A sounding note, and the cents by which it differs from its key's usual pitch.
struct SoundingNote: BitwiseCopyable {
    /// The number of the note in its synthesizer, counted from 1; 0 for none.
    var number: UInt32 = 0
    /// The channel, and the key that the note began with.
    var (channel, key): (Int32, Int32) = (0, 0)
    /// The key that it sounds; another one after a legato.
    var soundingKey: Int32 = 0
    /// The cents that the synthesizer renders now.
    var rendered: Float = 0
    /// The cents at the end of the glide: the tuning, and the distance to another key.
    var target: Float = 0
    /// The cents that remain of a glide, and those of each block of the synthesizer.
    var (glide, step): (Float, Float) = (0, 0)
}

/// The newest notes of a synthesizer.
struct NotePitches: ~Copyable {
    private let notes: UnsafeMutablePointer<SoundingNote>
    private var next = 0
    /// True while a note glides.
    private var isGliding = false

    private static var capacity: Int { @_noLocks get { 64 } }

    init() {
        notes = .allocate(capacity: Self.capacity)
        notes.initialize(repeating: SoundingNote(), count: Self.capacity)
    }

    deinit { notes.deallocate() }

    /// Adds a note that begins; it glides from `glide` cents away over some blocks.
    @_noLocks mutating func add(
        _ number: UInt32, _ channel: Int32, _ key: Int32, cents: Float, glide: Float, blocks: Float, of synthesizer: OpaquePointer
    ) {
        var note = SoundingNote()
        (note.number, note.channel, note.key, note.soundingKey, note.target) = (number, channel, key, key, cents)
        begin(&note, glide: glide, blocks: blocks)
        render(&note, synthesizer)
        notes[next] = note
        next = (next &+ 1) % Self.capacity
    }

    /// Moves a note to another key; false if no note of the channel began with that key.
    @_noLocks mutating func move(
        _ channel: Int32, from key: Int32, to newKey: Int32, cents: Float, blocks: Float, of synthesizer: OpaquePointer
    ) -> Bool {
        let index = newest(channel, key)
        guard index >= 0, CFluidSynth_shiftNote(synthesizer, notes[index].number, 0) != 0 else { return false }
        var note = notes[index]
        note.soundingKey = newKey
        note.target = cents + 100 * Float(newKey - key)
        begin(&note, glide: note.rendered - note.target, blocks: blocks)
        render(&note, synthesizer)
        notes[index] = note
        return true
    }

    /// Gives the notes of a channel the present tunings.
    @_noLocks mutating func retune(_ channel: Int32, _ program: Int, _ tunings: borrowing Tunings, of synthesizer: OpaquePointer) {
        for index in 0..<Self.capacity where notes[index].number > 0 && notes[index].channel == channel {
            let key = notes[index].soundingKey
            let cents = tunings.cents(program: program, channel: Int(channel), key: Int(key))
            notes[index].target = cents + 100 * Float(key - notes[index].key)
            render(&notes[index], synthesizer)
        }
    }

    /// Moves gliding notes on by one block of the synthesizer.
    @_noLocks mutating func advance(_ synthesizer: OpaquePointer) {
        guard isGliding else { return }
        isGliding = false
        for index in 0..<Self.capacity where notes[index].glide != 0 {
            let left = abs(notes[index].glide) - notes[index].step
            notes[index].glide = left > 0 ? (notes[index].glide > 0 ? left : -left) : 0
            render(&notes[index], synthesizer)
            if notes[index].glide != 0 { isGliding = true }
        }
    }

    @_noLocks mutating func removeAll() {
        for index in 0..<Self.capacity { notes[index] = SoundingNote() }
        isGliding = false
    }

    @_noLocks private func newest(_ channel: Int32, _ key: Int32) -> Int {
        var found = -1
        for index in 0..<Self.capacity where notes[index].number > 0 {
            guard notes[index].channel == channel, notes[index].key == key else { continue }
            if found < 0 || notes[index].number > notes[found].number { found = index }
        }
        return found
    }

    @_noLocks private mutating func begin(_ note: inout SoundingNote, glide: Float, blocks: Float) {
        (note.glide, note.step) = blocks > 1 ? (glide, abs(glide) / blocks) : (0, 0)
        if note.glide != 0 { isGliding = true }
    }

    /// Moves a note to its present pitch, and forgets one that has ended.
    @_noLocks private func render(_ note: inout SoundingNote, _ synthesizer: OpaquePointer) {
        let cents = note.target + note.glide
        guard cents != note.rendered else { return }
        if CFluidSynth_shiftNote(synthesizer, note.number, cents - note.rendered) == 0 {
            note = SoundingNote()
        } else {
            note.rendered = cents
        }
    }
}
