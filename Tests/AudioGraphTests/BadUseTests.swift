// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Wrong calls: a typed error each, and nothing is lost. Rendered offline. Test thread.

import AudioGraph
import HostingTestSupport
import Testing

@Suite struct BadUseTests {
    private let engine: AudioEngine
    private let player = AudioPlayerNode()
    private let tone: AudioPCMBuffer

    init() throws {
        engine = try AudioEngine.offline()
        tone = try Sounds.buffer(100) { _, _ in 0.25 }
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        player.scheduleBuffer(tone, options: .loops)
        player.play()
        try engine.start()
        _ = try engine.render(512)
    }

    /// What played goes on.
    private func playsOn() throws -> Bool { try engine.render(3000).allSatisfy { $0.allSatisfy { $0 == 0.25 } } }

    @Test func whatIsNotAttachedCannotBeConnected() throws {
        let stranger = AudioPlayerNode()
        #expect(throws: AudioEngineError.notAttached(node: NamedNode(stranger))) {
            try engine.connect(stranger, to: engine.mainMixerNode)
        }
        let mixer = AudioMixerNode()
        #expect(throws: AudioEngineError.notAttached(node: NamedNode(mixer))) { try engine.connect(player, to: mixer) }
        #expect(try playsOn())
    }

    /// A player that leads nowhere throws no error, since a program may connect it later; the engine can be asked.
    @Test func nodesThatLeadNowhereCanBeAskedFor() throws {
        #expect(engine.unheardNodes.isEmpty)
        let (lonely, mixer) = (AudioPlayerNode(), AudioMixerNode())
        for node in [lonely, mixer] { engine.attach(node) }
        try engine.connect(lonely, to: mixer)
        #expect(engine.unheardNodes == [lonely, mixer])
        try engine.connect(mixer, to: engine.mainMixerNode)
        #expect(engine.unheardNodes.isEmpty)
        #expect(try playsOn())
        engine.disconnectNodeOutput(player)
        #expect(engine.unheardNodes == [player])
    }

    /// Names need not be unique: an error says which of two nodes is meant, and does not keep it alive.
    @Test func anErrorCarriesTheNodeItself() throws {
        var (first, second): (AudioMixerNode?, AudioMixerNode?) = (AudioMixerNode(), AudioMixerNode())
        func error(_ node: AudioMixerNode?) throws -> NamedNode? {
            guard case .failure(.notAttached(let named)) = engine.detach(try #require(node)) else { return nil }
            return named
        }
        let (one, other) = (try #require(try error(first)), try #require(try error(second)))
        #expect(one.name == other.name && one != other && one.node === first && other.node === second)
        #expect(throws: AudioEngineError.self) { try engine.edit {} }
        let still = try #require(try error(first))
        #expect(still == one && still.hashValue == one.hashValue)
        #expect(throws: AudioEngineError.self) { try engine.edit {} }
        (first, second) = (nil, nil)
        #expect(one.node == nil && one.name == "Mixer" && "\(one)" == "Mixer")
    }

    @Test func aNodeIsAttachedOnceAndToOneEngine() throws {
        #expect(throws: AudioEngineError.alreadyAttached(node: NamedNode(player))) { try engine.attach(player).get() }
        let other = try AudioEngine.offline()
        #expect(throws: AudioEngineError.attachedElsewhere(node: NamedNode(player))) { try other.attach(player).get() }
        #expect(throws: AudioEngineError.attachedElsewhere(node: NamedNode(player))) { try other.start() }
        try other.start()
        #expect(try playsOn())
    }

    /// Two engines would render the node at once.
    @Test(arguments: [false, true]) func aNodeThatStillFadesIsNotFreedByAnEditThatFails(isOneEdit: Bool) throws {
        let (other, stranger) = (try AudioEngine.offline(), AudioMixerNode())
        func attachInVain() {
            #expect(throws: AudioEngineError.notAttached(node: NamedNode(stranger))) {
                try engine.edit {
                    engine.attach(player)
                    try engine.connect(stranger, to: engine.mainMixerNode)
                }
            }
            #expect(throws: AudioEngineError.attachedElsewhere(node: NamedNode(player))) { try other.attach(player).get() }
        }
        if isOneEdit {
            try engine.edit {
                engine.detach(player)
                attachInVain()
            }
        } else {
            _ = try engine.detach(player).get()
            attachInVain()
            _ = try engine.render(100)
            attachInVain()
        }
        _ = try engine.render(9600, block: 480)
        #expect(player.engine == nil)
        _ = try other.attach(player).get()
    }

    @Test func aStrangerAndTheOutputCannotBeDetached() throws {
        let stranger = AudioMixerNode()
        #expect(throws: AudioEngineError.notAttached(node: NamedNode(stranger))) { try engine.detach(stranger).get() }
        #expect(throws: AudioEngineError.cannotDetach(node: NamedNode(engine.outputNode))) {
            try engine.detach(engine.outputNode).get()
        }
        #expect(throws: AudioEngineError.notAttached(node: NamedNode(stranger))) {
            try engine.disconnectNodeInput(stranger).get()
        }
        #expect(try playsOn())
    }

    @Test func aBusThatIsNotThereIsNamed() throws {
        let mixer = AudioMixerNode()
        engine.attach(mixer)
        #expect(throws: AudioEngineError.noSuchBus(node: NamedNode(player), bus: 1, isInput: false, count: 1)) {
            try engine.connect(player, to: mixer, fromBus: 1, toBus: 0)
        }
        #expect(throws: AudioEngineError.noSuchBus(node: NamedNode(engine.outputNode), bus: 3, isInput: true, count: 1)) {
            try engine.connect(mixer, to: engine.outputNode, fromBus: 0, toBus: 3)
        }
        #expect(throws: AudioEngineError.noSuchBus(node: NamedNode(mixer), bus: -1, isInput: true, count: 65_536)) {
            try engine.connect(player, to: mixer, fromBus: 0, toBus: -1)
        }
        #expect(throws: AudioEngineError.noSuchBus(node: NamedNode(engine.outputNode), bus: 0, isInput: false, count: 0)) {
            try engine.connect(engine.outputNode, to: mixer)
        }
        #expect(
            AudioEngineError.noSuchBus(node: NamedNode(engine.outputNode), bus: 3, isInput: true, count: 1).description
                == "\"Output\" has no input bus 3: it has bus 0 alone.")
        #expect(try playsOn())
    }

    @Test func nodesThatWouldFeedEachOtherAreNamed() throws {
        let mixers = ["A", "B", "C"].map { name in
            let mixer = AudioMixerNode()
            mixer.name = name
            engine.attach(mixer)
            return mixer
        }
        try engine.connect(mixers[0], to: mixers[1])
        try engine.connect(mixers[1], to: mixers[2])
        let names = mixers.map { NamedNode($0) }
        #expect(throws: AudioEngineError.cycle(nodes: names)) { try engine.connect(mixers[2], to: mixers[0]) }
        #expect(throws: AudioEngineError.cycle(nodes: [names[0]])) { try engine.connect(mixers[0], to: mixers[0]) }
        #expect(AudioEngineError.cycle(nodes: Array(names[...1])).description == "These nodes would feed each other: A → B → A.")
        #expect(try playsOn())
    }

    @Test(arguments: [
        AudioFormat(sampleRate: 0, channelCount: 2), AudioFormat(sampleRate: .nan, channelCount: 2),
        AudioFormat(sampleRate: -48_000, channelCount: 2), AudioFormat(sampleRate: 48_000, channelCount: 0),
        AudioFormat(sampleRate: 48_000, channelCount: 300), AudioFormat(sampleRate: .infinity, channelCount: 2),
    ])
    func aFormatThatIsNoneIsRefused(format: AudioFormat) throws {
        let mixer = AudioMixerNode()
        engine.attach(mixer)
        let error = #expect(throws: AudioEngineError.self) {
            try engine.connect(mixer, to: engine.mainMixerNode, format: format)
        }
        guard case .impossibleFormat(node: "Mixer", _)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(AudioPCMBuffer(pcmFormat: format, frameCapacity: 10) == nil)
        #expect(try playsOn())
    }

    @Test func aRateThatIsTooFarAwayIsRefused() throws {
        let mixer = AudioMixerNode()
        engine.attach(mixer)
        let format = AudioFormat(sampleRate: 100, channelCount: 2)
        let error = #expect(throws: AudioEngineError.self) {
            try engine.connect(mixer, to: engine.mainMixerNode, format: format)
        }
        guard case .formatRefused(node: "Mixer", bus: 0, format, _)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(try playsOn())
    }

    @Test func renderingInTheWrongStateIsRefused() throws {
        let buffer = try #require(AudioPCMBuffer(pcmFormat: Sounds.format(), frameCapacity: 8192))
        #expect(throws: AudioEngineError.tooManyFrames(5000, maximum: 4096)) { try engine.renderOffline(5000, to: buffer) }
        #expect(throws: AudioEngineError.tooManyFrames(-1, maximum: 4096)) { try engine.renderOffline(-1, to: buffer) }
        #expect(throws: AudioEngineError.self) {
            try engine.enableManualRenderingMode(.offline, format: Sounds.format(), maximumFrameCount: 512)
        }
        #expect(try playsOn())
        engine.stop()
        #expect(throws: AudioEngineError.wrongState(act: "render by hand", state: "not running")) {
            try engine.renderOffline(10, to: buffer)
        }
    }

    @Test func levelsBeyondReasonStayNumbers() throws {
        for level in [Float.infinity, -.infinity, .nan, 1e30] {
            player.volume = level
            engine.mainMixerNode.outputVolume = level
            #expect(try engine.render(2000).allSatisfy { $0.allSatisfy(\.isFinite) })
        }
    }

    /// The render thread would wait for itself.
    @Test func anEditOnTheRenderThreadIsRefused() throws {
        let found = Found()
        let mixer = AudioMixerNode()
        engine.attach(mixer)
        let source = AudioSourceNode { [engine] isSilence, _, _ in
            isSilence = true
            guard found.error == nil, case .failure(let error) = engine.detach(mixer) else { return }
            found.error = error
            engine.stop()
        }
        engine.attach(source)
        try engine.connect(source, to: engine.mainMixerNode)
        _ = try engine.render(512)
        #expect(found.error == .onRenderThread(act: "detach \"Mixer\""))
        #expect(throws: AudioEngineError.onRenderThread(act: "detach \"Mixer\"")) { try engine.edit {} }
        #expect(try playsOn())
    }

    private final class Found: @unchecked Sendable {
        // SAFETY: the test renders on its own thread.
        var error: AudioEngineError?
    }
}
