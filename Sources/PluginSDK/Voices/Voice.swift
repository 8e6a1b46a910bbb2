// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the author of an instrument writes: one voice. Control and render threads.

/// One voice of an instrument: it plays one note at a time.
///
/// `Voices` makes as many as there may sound, gives each its notes, and mixes them. A voice only says how a note begins,
/// sounds and ends:
///
///     struct Beep: Voice {
///         private var envelope: Float = 0
///         ...
///         @_noLocks mutating func start(_ note: Note, _ patch: Patch) { ... }
///     }
///
/// Mark everything that runs on the render thread `@_noLocks`. What is heard must depend on frames alone, and not on how many
/// of them a block has.
public protocol Voice: ~Copyable {
    /// The settings that all voices share, such as the values of parameters.
    associatedtype Patch: BitwiseCopyable

    /// `[control]` Makes a silent voice, and allocates all that it renders with.
    init(_ setup: RenderSetup)

    /// `[render]` Begins a note at the first frame of the next block.
    ///
    /// The voice may have played another note, and forgets it.
    @_noLocks mutating func start(_ note: Note, _ patch: Patch)

    /// `[render]` Goes on to another key while the first one is held, in mono mode; by default it starts anew.
    @_noLocks mutating func glide(to note: Note, _ patch: Patch)

    /// `[render]` Lets the note end: its key is up, and no pedal holds it.
    @_noLocks mutating func release()

    /// `[render]` Adds the next frames to a block; what is in the block stays there.
    @_noLocks mutating func render(_ output: AudioBlock, _ expression: NoteExpression, _ patch: Patch)

    /// `[render]` Whether the note has ended, so that the voice is free.
    ///
    /// A voice that is silent stays so until it starts a note, and adds nothing from that frame on: it is looked at only at the end
    /// of a block.
    var isSilent: Bool { @_noLocks get }

    /// `[render]` How loud the note is at the next frame, on any scale; 1 by default.
    ///
    /// When a note needs a voice and none is free, the released one with the lowest level is taken.
    var level: Float { @_noLocks get }
}

extension Voice where Self: ~Copyable {
    /// `[render]` Starts the note anew.
    @inlinable
    public mutating func glide(to note: Note, _ patch: Patch) { start(note, patch) }
    /// One: all notes are equally loud, and the oldest is taken first.
    public var level: Float { @_noLocks get { 1 } }
}
