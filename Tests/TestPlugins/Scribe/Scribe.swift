// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An instrument whose output shows which MIDI messages it heard, and at which frame: for tests of sequencers. Render thread.

import PluginSDK

/// Puts out four channels.
///
/// The first one has, at the frame at which a note begins, its velocity plus 128 times its key, divided by 1024: many notes at a time
/// stay below the ceiling. The second one has, at the frame at which notes end, how many. The third one has the number of notes that sound. The fourth one has what is set on the first MIDI channel:
/// the program, plus 128 times the modulation wheel, plus 16384 times the pitch wheel (-64 to 63), plus a half with the damper pedal down.
/// The parameter sets the program, too, unless it is -1. Controller 20 counts as a program of the number of its cable. Controllers 120 and 123 end the notes of their channel.
struct Scribe: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.instrument, "scrb", "test"), name: "Scribe", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0), tags: ["Test"], flags: [.consentsToInProcess, .midiInput], inputs: [],
        outputs: [Bus("Output", channelCount: 4, supportedChannelCounts: [4])])

    static let parameters = ParameterTree([
        .parameter(Parameter("program", name: "Program", address: 1, range: -1...127, default: -1))
    ])

    private let counts: UnsafeMutablePointer<Int32>
    private var begun: Float = 0
    private var ended: Float = 0
    private var sounding: Float = 0
    private var program: Float = 0
    private var modulation: Float = 0
    private var bend: Float = 0
    private var pedal: Float = 0

    init(_ setup: RenderSetup) throws(UnitError) {
        counts = .allocate(capacity: 2048)
        counts.initialize(repeating: 0, count: 2048)
    }

    deinit { counts.deallocate() }

    @_noLocks mutating func apply(_ change: ParameterChange) { if change.value >= 0 { program = Float(change.value) } }

    @_noLocks mutating func handle(_ message: MIDIMessage) {
        let (channel, key) = (Int(message[0] & 15), Int(message[1] & 127))
        switch message[0] >> 4 {
        case 9 where message[2] > 0:
            begun += Float(message[2]) + 128 * Float(key)
            counts[channel &* 128 &+ key] &+= 1
            sounding += 1
        case 8, 9:
            ended += 1
            guard counts[channel &* 128 &+ key] > 0 else { return }
            counts[channel &* 128 &+ key] &-= 1
            sounding -= 1
        case 0xB where message[1] == 120 || message[1] == 123: endAll(channel)
        default: if channel == 0 { set(message) }
        }
    }

    @_noLocks
    private mutating func endAll(_ channel: Int) {
        for key in 0..<128 {
            let count = Float(counts[channel &* 128 &+ key])
            (ended, sounding) = (ended + count, sounding - count)
            counts[channel &* 128 &+ key] = 0
        }
    }

    @_noLocks
    private mutating func set(_ message: MIDIMessage) {
        switch (message[0] >> 4, message[1]) {
        case (0xB, 1): modulation = Float(message[2])
        case (0xB, 20): program = Float(message.cable)
        case (0xB, 64): pedal = message[2] >= 64 ? 0.5 : 0
        case (0xC, let number): program = Float(number)
        case (0xE, _): bend = Float(message[2]) - 64
        default: break
        }
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        let state = program + 128 * modulation + 16_384 * bend + pedal
        for frame in 0..<block.frameCount {
            block.output[0][frame] = frame == 0 ? begun / 1024 : 0
            block.output[1][frame] = frame == 0 ? ended : 0
            block.output[2][frame] = sounding
            block.output[3][frame] = state
        }
        if block.frameCount > 0 { (begun, ended) = (0, 0) }
    }

    @_noLocks mutating func reset() {
        for key in 0..<2048 { counts[key] = 0 }
        (begun, ended, sounding) = (0, 0, 0)
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Scribe.exported }
