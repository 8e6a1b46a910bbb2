// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Edits while it plays: what changes is faded, what does not stays as it is to the bit. Rendered offline. Test thread.

import AudioGraph
import HostingTestSupport
import Synchronization
import Testing

@Suite struct EditTests {
    private let engine: AudioEngine
    /// A slow sine, whose own steps are small.
    private let sine: AudioPCMBuffer
    private static let period = 480
    /// The largest step of a sine of amplitude 0.5 and that period, from frame to frame.
    private static let largestStep = 0.5 * 2 * Float.pi / Float(period)
    /// What a fade may add to it: -60 dB of full scale.
    private static let allowance: Float = 0.001

    init() throws {
        engine = try AudioEngine.offline()
        sine = try Sounds.buffer(Self.period * 10) { _, frame in
            0.5 * Maths.sin(2 * .pi * Float(frame % Self.period) / Float(Self.period))
        }
    }

    private func player() -> AudioPlayerNode {
        let player = AudioPlayerNode()
        engine.attach(player)
        player.scheduleBuffer(sine, options: .loops)
        player.play()
        return player
    }

    private static func largestStep(in samples: [Float]) -> Float {
        zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
    }

    private func isSmooth(_ samples: [Float], times count: Float = 1) -> Bool {
        Self.largestStep(in: samples) <= (Self.largestStep + Self.allowance) * count
    }

    @Test func whatIsConnectedAndDisconnectedWhileItPlaysIsFaded() throws {
        let first = player()
        try engine.connect(first, to: engine.mainMixerNode)
        try engine.start()
        var heard = try engine.render(1100, block: 100)[0]
        // It has played into nothing for a while, and comes in the middle of its sound.
        let second = player()
        try engine.connect(second, to: engine.mainMixerNode)
        heard += try engine.render(2000, block: 100)[0]
        engine.disconnectNodeOutput(second)
        heard += try engine.render(2000, block: 100)[0]
        try engine.connect(second, to: engine.mainMixerNode)
        heard += try engine.render(2000, block: 100)[0]
        engine.disconnectNodeOutput(first)
        engine.detach(second)
        heard += try engine.render(3000, block: 100)[0]
        #expect(isSmooth(heard, times: 2))
        #expect(heard.suffix(500).allSatisfy { $0 == 0 })
        #expect(heard.max()! > 0.9)
    }

    /// The control of the tests above: without a fade there is a step.
    @Test func anUnfadedEndIsAStep() throws {
        let first = player()
        try engine.connect(first, to: engine.mainMixerNode)
        try engine.start()
        var heard = try engine.render(1100, block: 100)[0]
        first.stop()
        heard += try engine.render(1000, block: 100)[0]
        #expect(!isSmooth(heard))
    }

    @Test func whatAnEditDoesNotTouchStaysAsItIs() throws {
        let touched = player()
        let untouched = player()
        let mixer = AudioMixerNode()
        engine.attach(mixer)
        // The untouched one is heard on the left alone, the other one on the right.
        untouched.pan = -1
        touched.pan = 1
        try engine.connect(touched, to: mixer)
        try engine.connect(mixer, to: engine.mainMixerNode)
        try engine.connect(untouched, to: engine.mainMixerNode)
        try engine.start()
        var heard: [Float] = []
        for round in 0..<8 {
            heard += try engine.render(1000, block: 125)[0]
            switch round % 4 {
            case 0: engine.disconnectNodeOutput(mixer)
            case 1: try engine.connect(touched, to: engine.mainMixerNode)
            case 2: engine.detach(mixer)
            default:
                engine.attach(mixer)
                try engine.edit {
                    try engine.connect(touched, to: mixer)
                    try engine.connect(mixer, to: engine.mainMixerNode)
                }
            }
        }
        let block = sine.samples
        // Panned to the right, the other one leaves on the left what the cosine of a right angle leaves.
        #expect(heard.indices.allSatisfy { abs(heard[$0] - block[0][$0 % sine.frameLength]) < 1e-6 })
    }

    @Test func aTicketTellsFromWhichFrameOnAnEditIsHeard() throws {
        let first = player()
        let early = try engine.connect(first, to: engine.mainMixerNode)
        #expect(early.sampleTime == nil)
        try engine.start()
        _ = try engine.render(1024)
        #expect(early.sampleTime == 0)
        let second = player()
        let late = try engine.connect(second, to: engine.mainMixerNode)
        #expect(late.sampleTime == nil)
        _ = try engine.render(512)
        #expect(late.sampleTime == 1024)
        // Those of edits within an edit, too.
        var inner: EditTicket?
        let outer = try engine.edit { inner = try engine.disconnectNodeOutput(second).get() }
        _ = try engine.render(512)
        #expect(outer.sampleTime == 1536 && inner?.sampleTime == 1536)
    }

    @Test func editsTakenAsOneAreHeardTogetherOrNotMade() throws {
        let (first, second) = (player(), player())
        try engine.connect(first, to: engine.mainMixerNode)
        try engine.start()
        _ = try engine.render(512)
        var unheard: EditTicket?
        let stranger = AudioPlayerNode()
        stranger.name = "Stranger"
        #expect(throws: AudioEngineError.notAttached(node: NamedNode(stranger))) {
            try engine.edit {
                unheard = try engine.disconnectNodeOutput(first).get()
                try engine.connect(second, to: engine.mainMixerNode)
                try engine.connect(stranger, to: engine.mainMixerNode)
            }
        }
        #expect(engine.outputConnectionPoints(for: first, outputBus: 0).map(\.bus) == [0])
        #expect(engine.outputConnectionPoints(for: second, outputBus: 0).isEmpty)
        let heard = try engine.render(2000)[0]
        #expect(unheard?.sampleTime == nil)
        #expect(heard == (512..<2512).map { sine.samples[0][$0 % sine.frameLength] })
    }

    @Test func oneObserverSeesEveryBusThatComesAndGoes() throws {
        let told = Mutex<[String]>([])
        let token = engine.addObserver { [engine] changes in
            // It may ask.
            _ = engine.attachedNodes
            for change in changes {
                let text =
                    switch change {
                    case .attached(let node): "+\(node.name)"
                    case .detached(let node): "-\(node.name)"
                    case .connected(let source, let bus, let node, let input): "\(source.name).\(bus) > \(node.name).\(input)"
                    case .disconnected(let source, let bus, let node, let input): "\(source.name).\(bus) x \(node.name).\(input)"
                    case .formatChanged(let node, let bus, let isInput, let format):
                        "\(node.name) \(isInput ? "in" : "out") \(bus) has \(format.channelCount)"
                    }
                told.withLock { $0.append(text) }
            }
        }
        let (mono, mixer) = (AudioPlayerNode(), AudioMixerNode())
        engine.attach(mono)
        engine.attach(mixer)
        try engine.connect(mono, to: mixer, format: Sounds.format(1))
        #expect(told.withLock { $0 } == ["+Player", "+Mixer", "Player out 0 has 1", "Mixer in 0 has 1", "Player.0 > Mixer.0"])
        told.withLock { $0 = [] }
        try engine.edit {
            try engine.connect(mono, to: mixer, fromBus: 0, toBus: 7)
            engine.detach(mixer)
        }
        #expect(told.withLock { $0 } == ["Player.0 x Mixer.0", "-Mixer"])
        engine.removeObserver(token)
        engine.detach(mono)
        #expect(told.withLock(\.count) == 2)
    }

    @Test func whatAnObserverEditsIsHeardAndTold() throws {
        let player = player()
        try engine.start()
        let told = Mutex(0)
        let token = engine.addObserver { [engine] changes in
            told.withLock { $0 += changes.count }
            if case .attached? = changes.first { _ = try? engine.connect(player, to: engine.mainMixerNode) }
        }
        engine.attach(AudioMixerNode())
        let heard = try engine.render(4800)[0]
        #expect(heard.contains { abs($0) > 0.4 })
        // Attached; the format of the player's output, that of the mixer's input, and connected.
        #expect(told.withLock { $0 } == 4)
        engine.removeObserver(token)
    }

    /// A dead branch is not rendered, so nothing in it ever fades.
    @Test func aBranchThatIsTakenApartFromItsEndLeavesNothingBehind() throws {
        let (first, mixer) = (player(), AudioMixerNode())
        engine.attach(mixer)
        try engine.connect(first, to: mixer)
        try engine.connect(mixer, to: engine.mainMixerNode)
        try engine.start()
        _ = try engine.render(4800)
        engine.disconnectNodeOutput(mixer)
        _ = try engine.render(4800)
        engine.disconnectNodeOutput(first)
        engine.detach(first)
        engine.detach(mixer)
        _ = try engine.render(4800, block: 480)
        // Another engine may have them now.
        let other = try AudioEngine.offline()
        _ = try other.attach(first).get()
        _ = try other.attach(mixer).get()
    }

    @Test func aNodeThatIsStillHeardIsNoOtherEnginesYet() throws {
        let first = player()
        try engine.connect(first, to: engine.mainMixerNode)
        try engine.start()
        _ = try engine.render(512)
        engine.detach(first)
        let other = try AudioEngine.offline()
        #expect(throws: AudioEngineError.attachedElsewhere(node: NamedNode(first))) { try other.attach(first).get() }
        _ = try engine.render(4800, block: 480)
        _ = try other.attach(first).get()
        #expect(throws: AudioEngineError.attachedElsewhere(node: NamedNode(first))) { try other.start() }
    }

    @Test func aNodeThatIsConnectedAnotherWayIsCrossedOver() throws {
        let first = player()
        let mixer = AudioMixerNode()
        engine.attach(mixer)
        try engine.connect(first, to: engine.mainMixerNode)
        try engine.connect(mixer, to: engine.mainMixerNode)
        try engine.start()
        var heard = try engine.render(1000, block: 100)[0]
        try engine.connect(first, to: mixer)
        heard += try engine.render(3000, block: 100)[0]
        // The way out and the way in add up to one all the time.
        let block = sine.samples
        #expect(heard.indices.allSatisfy { abs(heard[$0] - block[0][$0 % sine.frameLength]) < 1e-6 })
    }

    @Test(arguments: [31, 64, 512, 4096])
    func aGraphSoundsTheSameInBlocksOfAnySize(block: Int) throws {
        func sound(_ block: Int) throws -> [[Float]] {
            let engine = try AudioEngine.offline()
            for index in 0..<3 {
                let player = AudioPlayerNode()
                let mixer = AudioMixerNode()
                engine.attach(player)
                engine.attach(mixer)
                player.volume = 0.3 + Float(index) / 10
                player.pan = Float(index) / 3 - 0.3
                mixer.outputVolume = 0.7
                try engine.connect(player, to: mixer)
                try engine.connect(mixer, to: engine.mainMixerNode)
                player.scheduleBuffer(try Sounds.ramp(900 + 77 * index), options: .loops)
                player.play()
            }
            try engine.start()
            return try engine.render(9000, block: block)
        }
        #expect(try sound(block) == sound(1))
    }
}
