// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Turns voice processing on and off; the processor takes the input's place in all its connections. Any thread but the render thread.

import Rendering

extension AudioEngine {
    var voice: VoiceProcessing? { state.withLock { $0.graph.voice } }

    /// Inserts the processor behind the input, or removes it.
    func setVoiceProcessing(_ isOn: Bool) throws(AudioEngineError) {
        let act = isOn ? "turn voice processing on" : "turn voice processing off"
        try refuseOnRenderThread(act)
        try editLock.withLock { () throws(AudioEngineError) in
            guard isOn != (voice != nil) else { return }
            let phase = state.withLock { $0.phase }
            guard phase == .stopped else { throw .wrongState(act: act, state: phase.rawValue) }
            guard !isOn || inputNode.furtherBuses.isEmpty else { throw .wrongState(act: act, state: "recording further buses") }
            if isOn { try addVoiceProcessing() } else { try removeVoiceProcessing() }
            // Earlier settings take effect from now on, or end.
            let input = inputNode
            input.speech.watch(input)
            input.speech.update()
        }
    }

    private func addVoiceProcessing() throws(AudioEngineError) {
        let voice = try VoiceProcessing()
        let (input, output) = (inputNode, outputNode)
        for node in voice.nodes { try node.claim(for: self) }
        try changeGraph { state throws(AudioEngineError) in
            let links = state.graph[input]?.outputs[0] ?? []
            let formats = state.graph[input]?.outputFormats ?? [:]
            state.graph.disconnectOutput(input, 0)
            for node in voice.nodes { state.graph.attach(node) }
            state.followRate()
            let engine = Self.format(of: state)
            var format = state.graph[input].map { Self.busFormat(of: $0, 0, isInput: false, engine) } ?? engine
            format.channelCount = min(2, format.channelCount)
            try Self.connect(input, 0, [AudioConnectionPoint(node: voice.processor, bus: 0)], format, &state)
            try Self.connect(voice.farEnd, 0, [AudioConnectionPoint(node: voice.processor, bus: 1)], nil, &state)
            // The formats follow the engine to another rate.
            state.graph.setOutputFormats([:], of: voice.farEnd)
            state.graph.setOutputFormats(formats, of: input)
            state.graph.voice = voice
            Self.move(links, to: voice.processor, &state)
            if let link = state.graph[output]?.inputs[0] { state.graph.mirror(link) }
        }
    }

    private func removeVoiceProcessing() throws(AudioEngineError) {
        guard let voice else { return }
        let input = inputNode
        try changeGraph { state throws(AudioEngineError) in
            let links = state.graph[voice.processor]?.outputs[0] ?? []
            state.graph.voice = nil
            for node in voice.nodes { state.graph.detach(node) }
            Self.move(links, to: input, &state)
        }
        for node in voice.nodes { node.leave() }
    }

    /// Moves connections to another source; their levels stay.
    private static func move(_ links: [GraphState.Link], to source: AudioNode, _ state: inout State) {
        for link in links {
            state.graph.connect(
                GraphState.Link(
                    source: source, sourceBus: 0, destination: link.destination, destinationBus: link.destinationBus,
                    state: link.state))
        }
    }

    /// Changes the graph while nothing renders; after an error it is as before.
    private func changeGraph(_ change: (inout State) throws(AudioEngineError) -> Void) throws(AudioEngineError) {
        try state.withLock { state throws(AudioEngineError) in
            let former = state.graph
            do throws(AudioEngineError) {
                try change(&state)
            } catch {
                state.graph = former
                throw error
            }
            (state.graph.broken, state.graph.detached) = ([], [])
        }
    }
}

extension GraphState {
    /// Returns the node whose output a program hears as `node`: the voice processor in place of the input.
    func soundSource(of node: AudioNode) -> AudioNode {
        if let voice, node === inputNode { voice.processor } else { node }
    }

    /// Returns the node that a program knows: the input in place of the voice processor.
    func visible(_ node: AudioNode) -> AudioNode {
        if let voice, let inputNode, node === voice.processor { inputNode } else { node }
    }

    /// Connects the source of a link to the output also to the voice processor, as its far end.
    mutating func mirror(_ link: Link) {
        guard let voice else { return }
        disconnectInput(voice.farEndTap, 0)
        connect(
            Link(
                source: link.source, sourceBus: link.sourceBus, destination: voice.farEndTap, destinationBus: 0,
                state: ConnectionState()))
    }
}
