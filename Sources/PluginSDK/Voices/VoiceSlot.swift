// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of one voice from outside: its key, whether that is held, and the next order to the voice. Render thread.

/// The state of one voice, after all messages so far.
@usableFromInline
struct VoiceSlot: BitwiseCopyable {
    /// The stage of a note.
    @usableFromInline
    enum Stage: UInt8, BitwiseCopyable {
        case free, held
        /// The key is up, and a pedal holds the note.
        case sustained
        case released
        /// The voice fades to silence: another note has taken its slot.
        case fading
    }

    /// The order that the voice carries out before the next frame.
    @usableFromInline
    enum Order: UInt8, BitwiseCopyable { case none, start, glide, release }

    @usableFromInline var stage = Stage.free
    @usableFromInline var order = Order.none
    @usableFromInline var note = Note(key: 0, velocity: 0)
    /// True if the sostenuto pedal holds the note.
    var isLatched = false
    /// The pressure on the key.
    var pressure: Float = 0
    /// The loudness that the voice reported.
    @usableFromInline var level: Float = 0
    @usableFromInline var fadeFramesLeft = 0
    @usableFromInline var fadeFrameCount = 1

    @_noLocks
    init() {}

    /// True if the voice plays a note that no other note has taken it from.
    var isPlaying: Bool {
        @_noLocks get {
            switch stage {
            case .held, .sustained, .released: true
            default: false
            }
        }
    }
    @usableFromInline var isFree: Bool {
        @_noLocks get { if case .free = stage { true } else { false } }
    }
    @usableFromInline var isFading: Bool {
        @_noLocks get { if case .fading = stage { true } else { false } }
    }
    var isHeld: Bool {
        @_noLocks get { if case .held = stage { true } else { false } }
    }
    var isSustained: Bool {
        @_noLocks get { if case .sustained = stage { true } else { false } }
    }
    @usableFromInline var isReleased: Bool {
        @_noLocks get { if case .released = stage { true } else { false } }
    }

    /// Tells the voice to end its note.
    @_noLocks
    mutating func release() {
        stage = .released
        // A note that has not begun is started, and then released: see `Voices.obey`.
        if case .start = order { return }
        order = .release
    }

    /// Tells the voice to fade out over `frameCount` frames.
    @_noLocks
    mutating func fade(over frameCount: Int) {
        // A note that has not begun is never heard.
        if case .start = order { return free() }
        if isFading, fadeFramesLeft <= frameCount { return }
        (stage, order) = (.fading, .none)
        (fadeFramesLeft, fadeFrameCount) = (frameCount, max(1, frameCount))
    }

    @usableFromInline @_noLocks
    mutating func free() { (stage, order) = (.free, .none) }
}
