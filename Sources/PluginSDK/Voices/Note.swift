// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A note as a voice receives it, and its bends and pressure while it sounds. Render thread.

/// The note that a voice is to play.
@frozen
public struct Note: BitwiseCopyable, Sendable {
    /// The MIDI channel, counted from 0.
    public var channel: Int
    /// The key, 0 to 127; 60 is middle C.
    public var key: Int
    /// The strength of the stroke, above 0 and up to 1.
    public var velocity: Float
    /// The key of the note before this one, from which a voice may glide; the same key if there was none.
    public var previousKey: Int
    /// The number of notes that came before this one since the last reset.
    ///
    /// Use it as a seed for noise and phases that differ from note to note, but are the same each time.
    public var number: Int

    /// `[any]` Makes a note, for example to test a voice.
    @_noLocks
    public init(channel: Int = 0, key: Int, velocity: Float, previousKey: Int? = nil, number: Int = 0) {
        self.channel = channel
        self.key = key
        self.velocity = velocity
        self.previousKey = previousKey ?? key
        self.number = number
    }

    /// `[render]` The frequency of a key in hertz, in equal temperament; key 69 is 440 Hz, and fractions are cents.
    @_noLocks
    public static func frequency(ofKey key: Float) -> Float { 440 * Maths.exp2((key - 69) / 12) }
}

/// The controllers' values for one voice, at the first frame of a block.
///
/// The values jump when a message arrives. A voice glides from one to the next if a jump would be heard.
@frozen
public struct NoteExpression: BitwiseCopyable, Sendable {
    /// The pitch bend and the channel's tuning, in semitones.
    public var bend: Float = 0
    /// The pressure on the key or on the channel, the larger one; 0 to 1.
    public var pressure: Float = 0
    /// The third dimension of an expressive keyboard, controller 74; 0 to 1, and 0.5 at rest.
    public var timbre: Float = 0.5
    /// The modulation wheel, controller 1; 0 to 1.
    public var modulation: Float = 0
    /// The gain factor of channel volume and expression, controllers 7 and 11; 1 until one is sent.
    public var gain: Float = 1

    /// `[any]` No expression.
    @_noLocks
    public init() {}
}
