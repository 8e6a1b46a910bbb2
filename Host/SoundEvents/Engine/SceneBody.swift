// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node of all sound events, as the audio graph sees it. Any thread; its function is the render thread's.

import AudioFormats
import AudioGraph
import Rendering

/// Answers the audio graph for the node that renders all events of a `SoundEngine`.
final class SceneBody: NodeBody {
    private let running: RunningEvents
    private let room: SceneRoom
    private let renderer: SceneRenderer
    private let ownFormat: AudioFormat

    init(_ running: RunningEvents, _ room: SceneRoom, format: AudioFormat) {
        (self.running, self.room, renderer, ownFormat) = (running, room, SceneRenderer(running), format)
    }

    /// The sound, and the part of it that the room hears.
    var outputCount: Int { 2 }

    var work: RenderGraph.Work? { .render(renderer) }

    func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat {
        bus == 0 ? ownFormat : AudioFormat(sampleRate: ownFormat.sampleRate, channelCount: SpaceCore.roomChannelCount)
    }

    func objection(to format: AudioFormat, onOutput bus: Int) -> String? {
        guard bus == 0 else {
            return format.channels == SpaceCore.roomChannelCount ? nil : "the room hears \(SpaceCore.roomChannelCount) channels"
        }
        return format.channels == ownFormat.channels ? nil : "its engine was made for \(ownFormat.channels) channels"
    }

    var latencyFrameCount: Int { running.space.latencyFrameCount }
    var hasChangingLatency: Bool { true }

    var followsOutput: Bool { running.space.values.spatialization == .automatic }
    func follow(_ output: DriverOutputKind?) { running.space.follow(output) }

    func didAttach(_ node: AudioNode, to engine: AudioEngine) throws(AudioEngineError) {
        if engine.isRunning { engine.followOutput() }
    }

    var wantsAttention: Bool { running.wantsAttention || room.isToBeSilenced }

    func attend(_ node: AudioNode) {
        running.attend()
        if room.isToBeSilenced { room.silence() }
    }
}

/// Renders the events of an engine in a plan.
private final class SceneRenderer: RenderNode {
    private let running: RunningEvents

    init(_ running: RunningEvents) { self.running = running }

    // It lives as long as a plan or the node.
    deinit { running.abandon() }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(running.core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            SceneRenderer.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        context.assumingMemoryBound(to: SceneCore.self).pointee.render(
            call.outputs, room: call.outputCount > 1 ? call.outputs + 1 : nil, call.cycle.pointee)
    }
}
