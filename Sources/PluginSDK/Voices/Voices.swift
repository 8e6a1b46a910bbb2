// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The voices of an instrument: they take notes from MIDI messages, and are mixed. Render thread.

/// All voices of an instrument, from MIDI messages to sound.
///
/// A kernel passes its messages on and renders the voices:
///
///     private var voices: Voices<Beep>
///
///     init(_ setup: RenderSetup) { voices = Voices(setup, patch: Beep.Patch()) }
///     @_noLocks mutating func handle(_ message: MIDIMessage) { voices.handle(message) }
///     @_noLocks mutating func render(_ block: RenderBlock) {
///         block.output.silence()
///         voices.render(block.output)
///     }
///     @_noLocks mutating func reset() { voices.reset() }
///
/// If the kernel and the voice are in two files, declare the conformance in the kernel's file, as in `extension Beep: Voice
/// {}`. The compiler checks generic code with `@_noLocks` only where it sees the conformance.
///
/// Notes begin and end at the frames of their messages, because no message lies in a block. `Voices` understands these
/// messages:
///
/// - notes, and pressure of channels and keys
/// - sustain and sostenuto pedals (64, 66)
/// - pitch bend with its range (registered parameter 0) and tuning (1 and 2)
/// - modulation, volume, expression and timbre (1, 7, 11, 74)
/// - all sound off (120), reset of controllers (121), all notes off (123 to 127)
/// - zones with one note a channel (registered parameter 6, MPE)
///
/// If no voice is free, a new note takes the voice of the quietest released note, or else that of the oldest. That note fades
/// within 2 ms.
@frozen
public struct Voices<V: Voice & ~Copyable>: ~Copyable {
    @usableFromInline let memory: VoiceMemory
    @usableFromInline let book: UnsafeMutablePointer<VoiceBook>
    @usableFromInline let slots: UnsafeMutablePointer<VoiceSlot>
    @usableFromInline let slotCount: Int
    @usableFromInline let voices: UnsafeMutablePointer<V>

    /// The settings that all voices share; change them at any time.
    public var patch: V.Patch

    /// `[control]` Makes silent voices.
    ///
    /// - Parameters:
    ///   - setup: the conditions under which the kernel will render.
    ///   - count: the number of notes that may sound at once.
    ///   - patch: the settings that all voices share at first.
    @inlinable
    public init(_ setup: RenderSetup, count: Int = 32, patch: V.Patch) {
        self.patch = patch
        book = VoiceMemory.makeBook(setup, limit: count)
        (slots, slotCount) = (book.pointee.slots, book.pointee.slotCount)
        voices = .allocate(capacity: slotCount)
        for index in 0..<slotCount { (voices + index).initialize(to: V(setup)) }
        memory = VoiceMemory(setup, book: book, voices: UnsafeMutableRawPointer(voices)) { voices, count in
            voices.assumingMemoryBound(to: V.self).deinitialize(count: count)
            voices.deallocate()
        }
    }

    /// `[render]` Takes a MIDI message at the first frame of the next block; incomplete messages are ignored.
    @inlinable
    public mutating func handle(_ message: MIDIMessage) {
        for index in 0..<slotCount where slots[index].isReleased { slots[index].level = voices[index].level }
        book.pointee.handle(message)
        obey()
    }

    /// `[render]` True if one note sounds at a time, and moves to the next key while one is held.
    ///
    /// The key that was struck last sounds. When it is released, the one before it sounds again. A change of this property ends
    /// no note.
    @inlinable
    public mutating func setMono(_ isMono: Bool) { book.pointee.setMono(isMono) }

    /// `[render]` Fades the notes of a key out over `frameCount` frames, on one channel or on all.
    ///
    /// For notes that end each other, such as those of a hi-hat.
    @inlinable
    public mutating func fade(key: Int, channel: Int? = nil, over frameCount: Int) {
        book.pointee.fade(key: key, channel: channel ?? -1, over: frameCount)
    }

    /// `[render]` Adds all voices to a block.
    @inlinable
    public mutating func render(_ output: AudioBlock) {
        for index in 0..<slotCount where !slots[index].isFree {
            if slots[index].isFading {
                renderFading(index, output)
            } else {
                voices[index].render(output, book.pointee.expression(of: index), patch)
            }
            if voices[index].isSilent { slots[index].free() }
        }
    }

    /// `[render]` Ends all sound at once, for a kernel's `reset`; controllers keep their values.
    @inlinable
    public mutating func reset() { book.pointee.reset() }

    /// `[render]` The number of voices that sound.
    @inlinable public var soundingCount: Int {
        var count = 0
        for index in 0..<slotCount where !slots[index].isFree { count += 1 }
        return count
    }

    /// Carries out the orders of the book.
    @inlinable
    mutating func obey() {
        for index in 0..<slotCount {
            switch slots[index].order {
            case .none: continue
            case .start:
                voices[index].start(slots[index].note, patch)
                if slots[index].isReleased { voices[index].release() }
            case .glide: voices[index].glide(to: slots[index].note, patch)
            case .release: voices[index].release()
            }
            slots[index].order = .none
        }
    }

    /// Adds a voice with falling gain, and frees it at the end.
    @inlinable
    mutating func renderFading(_ index: Int, _ output: AudioBlock) {
        let (left, whole) = (slots[index].fadeFramesLeft, slots[index].fadeFrameCount)
        let part = AudioBlock(
            channels: UnsafePointer(memory.scratch), channelCount: output.channelCount, frameCount: min(left, output.frameCount))
        part.silence()
        voices[index].render(part, book.pointee.expression(of: index), patch)
        for frame in 0..<part.frameCount {
            let line = Float(left - frame - 1) / Float(whole)
            let share = line * line * (3 - 2 * line)
            for channel in 0..<part.channelCount { output[channel][frame] += part[channel][frame] * share }
        }
        slots[index].fadeFramesLeft = left - part.frameCount
        if part.frameCount == left { slots[index].free() }
    }
}
