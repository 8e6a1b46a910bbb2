// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The drum kit that comes with Bulkhead, as a node. Any thread but the render thread.

import AudioUnits

/// Plays a synthesised drum kit on the keys of General MIDI, in a process of its own.
///
/// All channels play it. Its factory presets are "Studio", "Electronic", "Tight" and "Room".
open class AudioUnitDrums: AudioUnitMIDIInstrument, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Starts the plug-in.
    public init() { super.init(starting: "aumu:drum:blkh", name: "Drums") }
}
