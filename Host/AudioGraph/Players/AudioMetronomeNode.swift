// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source that clicks at the beats of the engine's song. Any thread.

import Realtime
import Rendering

/// A source of clicks at the beats of the engine's song, as `AudioEngine.transport` has it; the first one of a bar is higher and louder.
///
/// A beat is a note of the time signature's lower number. Each click begins at the frame at which its beat is reached, through tempo changes and
/// loops; none begins while the song stands still. `volume` is the level. Connect it behind what is recorded, to hear clicks and not record them.
public final class AudioMetronomeNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// A metronome, to be attached to an engine.
    public init() { super.init(name: "Metronome", body: SteadyBody(MetronomeSource(), mixing: MixingSettings())) }
}

/// The render side of a metronome.
private final class MetronomeSource: RenderNode {
    // SAFETY: the render thread alone uses the core.
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
