// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node of all sound events, as the audio graph sees it. Any thread; its function is the render thread's.

import AudioFormats
import AudioGraph
import Rendering

/// Answers the audio graph for the node that renders all events of a `SoundEngine`.
final class SceneBody: NodeBody {
    private let running: RunningEvents
    private let renderer: SceneRenderer
    private let ownFormat: AudioFormat

    init(_ running: RunningEvents, format: AudioFormat) {
        (self.running, renderer, ownFormat) = (running, SceneRenderer(running), format)
    }

    var work: RenderGraph.Work? { .render(renderer) }

    func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat { ownFormat }

    func objection(to format: AudioFormat, onOutput bus: Int) -> String? {
        format.channels == ownFormat.channels ? nil : "its engine was made for \(ownFormat.channels) channels"
    }

    var wantsAttention: Bool { running.wantsAttention }
    func attend(_ node: AudioNode) { running.attend() }
}

/// Renders the events of an engine in a plan.
private final class SceneRenderer: RenderNode {
    private let running: RunningEvents

    init(_ running: RunningEvents) { self.running = running }

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
        context.assumingMemoryBound(to: SceneCore.self).pointee.render(call.outputs, at: call.cycle.pointee.sampleTime)
    }
}
