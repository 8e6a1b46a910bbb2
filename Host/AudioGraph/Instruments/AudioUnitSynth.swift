// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The synthesizer that comes with Bulkhead, as a node. Any thread but the render thread.

import AudioUnits

/// Plays 32 voices of two oscillators, a filter and two envelopes, in a process of its own.
///
/// It has no programs: its parameters and factory presets, such as "Bass" or "Strings", define its sound.
open class AudioUnitSynth: AudioUnitMIDIInstrument, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Starts the plug-in.
    public init() { super.init(starting: "aumu:synt:blkh", name: "Synth") }
}
