// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The interface of an instrument's voice. Control and render threads.

/// One voice of an instrument: it plays one note at a time.
///
/// `Voices` makes as many voices as may sound, gives each its notes, and mixes them. A voice only begins a note, renders it and
/// ends it:
///
///     struct Beep: Voice {
///         private var envelope: Float = 0
///         ...
///         @_noLocks mutating func start(_ note: Note, _ patch: Patch) { ... }
///     }
///
/// Mark everything that runs on the render thread `@_noLocks`. The sound must not depend on the number of frames in a block.
public protocol Voice: ~Copyable {
    /// The settings that all voices share, such as the values of parameters.
    associatedtype Patch: BitwiseCopyable

    /// `[control]` Makes a silent voice, and allocates all that it renders with.
    init(_ setup: RenderSetup)

    /// `[render]` Begins a note at the first frame of the next block.
    ///
    /// If the voice played another note, it forgets that.
    @_noLocks mutating func start(_ note: Note, _ patch: Patch)

    /// `[render]` Glides to another key while the first one is held, in mono mode; by default it starts anew.
    @_noLocks mutating func glide(to note: Note, _ patch: Patch)

    /// `[render]` Lets the note end: its key is up, and no pedal holds it.
    @_noLocks mutating func release()

    /// `[render]` Adds the next frames to a block; earlier contents of the block stay.
    @_noLocks mutating func render(_ output: AudioBlock, _ expression: NoteExpression, _ patch: Patch)

    /// `[render]` True if the note has ended, so that the voice is free.
    ///
    /// A silent voice stays silent until it starts a note, and adds nothing from that frame on. It is asked only at the end of
    /// a block.
    var isSilent: Bool { @_noLocks get }

    /// `[render]` The loudness of the note at the next frame, on any scale; 1 by default.
    ///
    /// If a note needs a voice and none is free, the released voice with the lowest level is taken.
    var level: Float { @_noLocks get }
}

extension Voice where Self: ~Copyable {
    /// `[render]` Starts the note anew.
    @inlinable
    public mutating func glide(to note: Note, _ patch: Patch) { start(note, patch) }
    /// One: all notes are equally loud, and the oldest is taken first.
    public var level: Float { @_noLocks get { 1 } }
}
