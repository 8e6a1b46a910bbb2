// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source that clicks at the beats of the engine's song. Any thread.

import Realtime
import Rendering

/// Clicks at the beats of the engine's song, which is in `AudioEngine.transport`; the first beat of a bar is higher and louder.
///
/// A beat is a note of the time signature's lower number. Each click begins at the frame of its beat, through tempo changes and loops. No
/// click begins while the song stands still. `volume` is the level. Connect it behind the recorded mix, to hear clicks and not record them.
public final class AudioMetronomeNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Makes a metronome to attach to an engine.
    public init() { super.init(name: "Metronome", body: SteadyBody(MetronomeSource(), mixing: MixingSettings())) }
}

/// The render side of a metronome.
private final class MetronomeSource: RenderNode {
    // SAFETY: only the render thread uses the core.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<MetronomeCore>

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: MetronomeCore())
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            MetronomeSource.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let cycle = call.cycle.pointee
        call.output.silence()
        call.outputs.pointee.isSilent = context.assumingMemoryBound(to: MetronomeCore.self).pointee.render(
            call.output, cycle.transport, sampleRate: cycle.sampleRate)
    }
}
