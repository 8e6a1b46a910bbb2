// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Chooses the voice for each note: voices are free, taken or held. Render thread.

/// The slots of all voices and the state of all channels, without the voices themselves.
///
/// It decides, and `Voices` carries that out. So the decisions are compiled once, for voices of every type.
@usableFromInline
struct VoiceBook: ~Copyable {
    @usableFromInline let slots: UnsafeMutablePointer<VoiceSlot>
    /// Twice the number of notes that may play: the other slots finish fading.
    @usableFromInline let slotCount: Int
    let channels: UnsafeMutablePointer<MIDIChannel>
    var keys = HeldKeys()
    private let limit: Int
    /// The frames over which a voice fades out when another note takes its slot.
    let fadeFrameCount: Int
    var isMono = false
    /// The number of channels of each of the two masters of expressive keyboards, 0 and 15; 0 without a zone.
    var (lowerCount, upperCount) = (0, 0)
    /// The system-exclusive message whose pieces arrive, and the values of such messages for all channels.
    var long = LongMessage(capacity: 64)
    var (masterGain, masterBend): (Float, Float) = (1, 0)
    var tuning: (cents: Float, semitones: Float) = (0, 0)
    private var noteCount = 0
    private var lastKey = -1

    static var channelCount: Int { @_noLocks get { 16 } }

    init(_ setup: RenderSetup, limit: Int) {
        self.limit = max(1, limit)
        slotCount = 2 * self.limit
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: VoiceSlot(), count: slotCount)
        channels = .allocate(capacity: Self.channelCount)
        channels.initialize(repeating: MIDIChannel(), count: Self.channelCount)
        fadeFrameCount = max(1, setup.frameCount(seconds: 0.002))
    }

    deinit {
        slots.deallocate()
        channels.deallocate()
    }

    /// Frees all voices; controllers keep their values.
    @usableFromInline @_noLocks
    mutating func reset() {
        for index in 0..<slotCount { slots[index].free() }
        keys.removeAll()
        (noteCount, lastKey) = (0, -1)
    }

    // MARK: Notes

    @_noLocks
    mutating func startNote(_ channel: Int, _ key: Int, velocity: Int) {
        let note = Note(
            channel: channel, key: key, velocity: Float(velocity) / 127, previousKey: lastKey < 0 ? key : lastKey,
            number: noteCount)
        noteCount &+= 1
        lastKey = key
        guard !isMono else { return startMono(note) }
        // The same key was struck again: one release would end two notes of it.
        for index in 0..<slotCount where holds(index, channel, key) { slots[index].release() }
        start(note)
    }

    @_noLocks
    private func holds(_ index: Int, _ channel: Int, _ key: Int) -> Bool {
        (slots[index].isHeld || slots[index].isSustained) && slots[index].note.key == key && slots[index].note.channel == channel
    }

    @_noLocks
    private func start(_ note: Note) {
        let index = freeSlot()
        slots[index] = VoiceSlot()
        slots[index].stage = .held
        slots[index].order = .start
        slots[index].note = note
    }

    @_noLocks
    mutating func stopNote(_ channel: Int, _ key: Int) {
        if isMono, keys.remove(channel, key), keys.count > 0 { return glide(to: keys.last) }
        for index in 0..<slotCount {
            guard slots[index].isHeld, slots[index].note.key == key, slots[index].note.channel == channel else { continue }
            letGo(index)
        }
    }

    /// Ends a note whose key is up, unless a pedal holds it.
    @_noLocks
    func letGo(_ index: Int) {
        let channel = channels[slots[index].note.channel]
        if channel.isSustaining || (slots[index].isLatched && channel.isSostenutoDown) {
            slots[index].stage = .sustained
        } else {
            slots[index].release()
        }
    }

    // MARK: Mono

    @_noLocks
    private mutating func startMono(_ note: Note) {
        let isTied = keys.count > 0
        keys.push(note)
        if isTied { return glide(to: note) }
        for index in 0..<slotCount where slots[index].isPlaying { slots[index].fade(over: fadeFrameCount) }
        start(note)
    }

    /// Moves the voice of the former key on to another one.
    @_noLocks
    private func glide(to note: Note) {
        for index in 0..<slotCount where slots[index].isHeld {
            var next = note
            next.previousKey = slots[index].note.key
            slots[index].note = next
            // A note that has not begun begins with the new key.
            if case .start = slots[index].order { return }
            slots[index].order = .glide
            return
        }
        start(note)
    }

    // MARK: Voices

    /// A slot for a new note: a free one; if one note too many plays, its voice is faded first.
    @_noLocks
    private func freeSlot() -> Int {
        var playing = 0
        for index in 0..<slotCount where slots[index].isPlaying { playing += 1 }
        if playing >= limit { slots[victim()].fade(over: fadeFrameCount) }
        var soonest = -1
        for index in 0..<slotCount {
            if slots[index].isFree { return index }
            guard slots[index].isFading else { continue }
            if soonest < 0 || slots[index].fadeFramesLeft < slots[soonest].fadeFramesLeft { soonest = index }
        }
        // Half of the slots are free or fading.
        return max(0, soonest)
    }

    /// The voice to take: the quietest of the released ones, or else the oldest.
    @_noLocks
    private func victim() -> Int {
        var (quietest, oldest) = (-1, -1)
        for index in 0..<slotCount where slots[index].isPlaying {
            if slots[index].isReleased, quietest < 0 || isQuieter(index, quietest) { quietest = index }
            if oldest < 0 || slots[index].note.number < slots[oldest].note.number { oldest = index }
        }
        return quietest >= 0 ? quietest : max(0, oldest)
    }

    @_noLocks
    private func isQuieter(_ index: Int, _ other: Int) -> Bool {
        let (level, otherLevel) = (slots[index].level, slots[other].level)
        return level < otherLevel || (level == otherLevel && slots[index].note.number < slots[other].note.number)
    }

    /// Silences the voices of a key, on one channel, or on all if `channel` is negative.
    @usableFromInline @_noLocks
    func fade(key: Int, channel: Int, over frameCount: Int) {
        for index in 0..<slotCount where slots[index].isPlaying && slots[index].note.key == key {
            if channel < 0 || slots[index].note.channel == channel { slots[index].fade(over: frameCount) }
        }
    }

    /// The controllers' values for a voice.
    @usableFromInline @_noLocks
    func expression(of index: Int) -> NoteExpression {
        let channel = slots[index].note.channel
        var expression = channels[channel].noteExpression
        let master = master(of: channel)
        if master >= 0 {
            let common = channels[master].noteExpression
            expression.bend += common.bend
            expression.pressure = max(expression.pressure, common.pressure)
            expression.timbre = max(0, min(1, expression.timbre + common.timbre - 0.5))
            expression.modulation = max(expression.modulation, common.modulation)
            expression.gain *= common.gain
        }
        expression.pressure = max(expression.pressure, slots[index].pressure)
        expression.gain *= masterGain
        expression.bend += masterBend
        return expression
    }
}

extension VoiceBook {
    /// Switches between one voice and many; sounding notes go on.
    @usableFromInline @_noLocks
    mutating func setMono(_ isMono: Bool) {
        guard isMono != self.isMono else { return }
        self.isMono = isMono
        keys.removeAll()
    }
}
