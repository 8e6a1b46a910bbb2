// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in whose output shows exactly what it was sent, and when: for tests of hosts and of the SDK. Render thread.

import PluginSDK

/// The addresses of the parameters.
private enum Address {
    static let gain: UInt64 = 100
    static let offset: UInt64 = 101
    static let latency: UInt64 = 7
    static let question: UInt64 = 20
    static let answer: UInt64 = 21
    static let messageCount: UInt64 = 30
    static let lastEventTime: UInt64 = 31
    static let resetCount: UInt64 = 32
}

/// Puts out the input, `latency` frames late, times `gain` plus `offset`, plus one sample of 1 for each MIDI message.
///
/// Values without a ramp jump, so that the samples show the frame in which a change takes effect.
struct Probe: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "prob", "test"), name: "Probe", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 2, 3), tags: ["Test", "Utility"], flags: [.consentsToInProcess, .midiInput, .midiOutput],
        inputs: [Bus("Input"), Bus("Side Chain", isOptional: true)])

    static let parameters = ParameterTree([
        .group(
            ParameterGroup(
                "level", name: "Level",
                [
                    .parameter(Parameter("gain", name: "Gain", address: Address.gain, range: -4...4, default: 1)),
                    .parameter(Parameter("offset", name: "Offset", address: Address.offset, range: -1...1, default: 0)),
                ])),
        .parameter(
            Parameter(
                "latency", name: "Latency", address: Address.latency, range: 0...1024, default: 0, unit: .frames,
                flags: [.integer])),
        .group(
            ParameterGroup(
                "echo", name: "Echo",
                [
                    // The answer becomes three times the question.
                    .parameter(Parameter("question", name: "Question", address: Address.question, range: 0...10, default: 0)),
                    .parameter(Parameter("answer", name: "Answer", address: Address.answer, range: 0...30, default: 0)),
                ])),
        .group(
            ParameterGroup(
                "report", name: "Report",
                [
                    .parameter(meter("messages", Address.messageCount)),
                    .parameter(meter("time", Address.lastEventTime)),
                    .parameter(meter("resets", Address.resetCount)),
                ])),
    ])

    static let factoryPresets = [
        FactoryPreset("Half", ["level.gain": 0.5]),
        FactoryPreset("Late and Loud", ["latency": 64, "level.gain": 2]),
    ]

    private static func meter(_ identifier: String, _ address: UInt64) -> Parameter {
        Parameter(identifier, name: identifier, address: address, range: 0...1e12, default: 0, flags: [.meter])
    }

    private var gain = SmoothedValue(1)
    private var offset = SmoothedValue(0)
    private var latency = 0
    private let line: AudioBuffer
    private var position = 0
    private var question: Double?
    private var message: MIDIMessage?
    private var messageCount = 0
    private var resetCount = 0

    init(_ setup: RenderSetup) throws(UnitError) {
        if setup.channelCount == 3 { throw .formatRefused("three channels") }
        line = AudioBuffer(channelCount: setup.channelCount, frameCapacity: 2048)
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        switch change.address {
        case Address.gain: gain.ramp(to: Float(change.value), over: Int(change.rampFrameCount))
        case Address.offset: offset.ramp(to: Float(change.value), over: Int(change.rampFrameCount))
        case Address.latency: latency = Int(change.value)
        case Address.question: question = change.value
        default: break
        }
    }

    @_noLocks mutating func handle(_ message: MIDIMessage) {
        self.message = message
        messageCount += 1
    }

    var latencyFrameCount: Int { @_noLocks get { latency } }

    @_noLocks mutating func render(_ block: RenderBlock) {
        answer(block)
        mix(block)
        if let message {
            for channel in 0..<block.output.channelCount { block.output[channel][0] += 1 }
            block.emitMIDI(message)
            block.emitParameter(Address.messageCount, value: Double(messageCount))
            block.emitParameter(Address.lastEventTime, value: Double(block.sampleTime))
        }
        message = nil
    }

    @_noLocks
    private mutating func answer(_ block: RenderBlock) {
        if let question, question > 0 { block.emitParameter(Address.answer, value: question * 3) }
        question = nil
    }

    @_noLocks
    private mutating func mix(_ block: RenderBlock) {
        let history = line.block(frameCount: 2048)
        let sideChain = block.input(1)
        for frame in 0..<block.frameCount {
            let factor = gain.next()
            let addend = offset.next()
            for channel in 0..<block.output.channelCount {
                history[channel][position] = block.input[channel][frame]
                let delayed = history[channel][(position &- latency) & 2047]
                let side = channel < sideChain.channelCount ? sideChain[channel][frame] : 0
                block.output[channel][frame] = delayed * factor + addend + side
            }
            position = (position &+ 1) & 2047
        }
    }

    @_noLocks mutating func reset() {
        line.block(frameCount: 2048).silence()
        gain.jump(to: gain.target)
        offset.jump(to: offset.target)
        resetCount += 1
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Probe.exported }
