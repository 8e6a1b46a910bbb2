// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ends of a graph: what the driver records, and what it plays. Any thread.

import PluginHosting
import Rendering

/// What the engine records: the driver's inputs, or what a program hands in when it renders by hand.
public final class AudioInputNode: AudioIONode, MixingSource, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that may be shared.
    private let input = DriverInput()
    let settings = MixingSettings()
    /// What follows from speech into the microphone.
    let speech = SpeechWatch()

    init() { super.init(name: "Input") }

    override var work: RenderGraph.Work? { .render(input) }
}

/// What the engine plays.
public final class AudioOutputNode: AudioIONode, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that may be shared.
    private let output = DriverOutput()

    init() { super.init(name: "Output") }

    /// One.
    public override var numberOfInputs: Int { 1 }
    /// None.
    public override var numberOfOutputs: Int { 0 }

    override var work: RenderGraph.Work? { .render(output) }
}
