// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Connections between nodes of different rates. Test thread.

import Glibc
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct RateTests {
    private static func format(_ rate: Double, _ channelCount: Int = 2) -> AudioFormat {
        AudioFormat(sampleRate: rate, channelCount: channelCount)
    }

    /// A buffer of a sine.
    private static func sine(_ frequency: Double, rate: Double, seconds: Double, channelCount: Int = 2) throws -> AudioPCMBuffer {
        let buffer = try #require(AudioPCMBuffer(pcmFormat: format(rate, channelCount), frameCapacity: Int(seconds * rate)))
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<channelCount {
            for frame in 0..<buffer.frameLength {
                buffer.samples[channel][frame] = Float(0.5 * sin(2 * Double.pi * frequency * Double(frame) / rate))
            }
        }
        return buffer
    }

    /// The level of a sine in what was heard, and of what is beside it, in decibels below the sine.
    private static func measure(_ samples: ArraySlice<Float>, _ frequency: Double, rate: Double) -> (level: Double, ratio: Double) {
        let step = 2 * Double.pi * frequency / rate
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            real += Double(sample) * cos(step * Double(index))
            imaginary += Double(sample) * sin(step * Double(index))
        }
        let scale = 2 / Double(samples.count)
        (real, imaginary) = (real * scale, imaginary * scale)
        var noise = 0.0
        for (index, sample) in samples.enumerated() {
            let rest = Double(sample) - real * cos(step * Double(index)) - imaginary * sin(step * Double(index))
            noise += rest * rest
        }
        let power = (real * real + imaginary * imaginary) / 2
        return (power.squareRoot() * 2.0.squareRoot(), 10 * log10(power * Double(samples.count) / max(noise, 1e-30)))
    }

    @Test(arguments: [8000.0, 22_050, 44_100, 88_200, 96_000, 192_000])
    func aPlayerOfAnyRateSoundsAtItsPitch(rate: Double) throws {
        let engine = try AudioEngine.offline()
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode, format: Self.format(rate))
        player.scheduleBuffer(try Self.sine(1000, rate: rate, seconds: 1))
        try engine.start()
        player.play()
        let heard = try engine.render(48_000)
        for channel in heard {
            // Whole periods, away from the beginning.
            let (level, ratio) = Self.measure(channel[4800..<43_200], 1000, rate: 48_000)
            #expect(abs(level - 0.5) < 1e-4)
            #expect(ratio > 115, "\(rate) Hz: \(ratio) dB")
        }
        #expect(engine.latencyFrameCount > 0 && heard[0].prefix(engine.latencyFrameCount - 60).allSatisfy { abs($0) < 1e-3 })
        #expect(player.playerTime.sampleTime == Int64(rate) && player.playerTime.sampleRate == rate)
        #expect(player.lastRenderTime?.sampleRate == rate)
    }

    /// A click comes by a unit at the engine's rate, and by one at another rate: both on the frame that the engine's latency says.
    @Test func pathsOfDifferentRatesMeetOnOneFrame() throws {
        for rate in [44_100.0, 96_000] {
            var heard: [[Float]] = []
            for paths in [[true, false], [false, true], [true, true]] {
                let engine = try AudioEngine.offline()
                let player = AudioPlayerNode()
                engine.attach(player)
                try engine.connect(player, to: engine.mainMixerNode)
                let effects = try (0..<2).map { _ in AudioUnitEffect(PluginUnit(try Build.unit("Gain"))) }
                let mixers = [AudioMixerNode(), AudioMixerNode()]
                for node in effects + mixers { engine.attach(node) }
                try engine.connect(
                    player, to: [AudioConnectionPoint(node: mixers[0]), AudioConnectionPoint(node: mixers[1])], fromBus: 0)
                try engine.connect(mixers[0], to: effects[0])
                try engine.connect(mixers[1], to: effects[1], format: Self.format(rate))
                try engine.connect(effects[0], to: engine.mainMixerNode)
                try engine.connect(effects[1], to: engine.mainMixerNode)
                for (effect, isHeard) in zip(effects, paths) { effect.volume = isHeard ? 1 : 0 }
                player.scheduleBuffer(try Self.sine(1000, rate: 48_000, seconds: 0.2))
                try engine.start()
                player.play()
                heard.append(try engine.render(9600)[0])
            }
            // The two paths carry the same sine at the same time, so together it is twice as loud.
            for frame in 2000..<7000 {
                // A frame is 0.065 where the sine is steepest.
                #expect(abs(heard[0][frame] - heard[1][frame]) < 0.065 / 30)
                #expect(abs(heard[2][frame] - 2 * heard[0][frame]) < 0.065 / 30)
            }
        }
    }

    /// Players and effects at three rates, with a unit in a process of its own, and a tap at a fourth.
    private static func connect(_ engine: AudioEngine) throws -> AudioUnitEffect {
        let (slow, fast) = (AudioPlayerNode(), AudioPlayerNode())
        let effect = AudioUnitEffect(PluginUnit(try Build.unit("Delay")))
        let mixer = AudioMixerNode()
        for node in [slow, fast, effect, mixer] { engine.attach(node) }
        try engine.connect(slow, to: effect, format: format(22_050))
        try engine.connect(effect, to: engine.mainMixerNode)
        try engine.connect(fast, to: mixer, format: format(96_000))
        try engine.connect(mixer, to: engine.mainMixerNode, format: format(44_100))
        slow.scheduleBuffer(try sine(500, rate: 22_050, seconds: 0.1), options: .loops)
        fast.scheduleBuffer(try sine(3000, rate: 96_000, seconds: 0.1), options: .loops)
        for player in [slow, fast] { player.play() }
        return effect
    }

    @Test func theBitsAreTheSameInBlocksOfAnySizeAndLive() throws {
        func offline(_ block: Int) throws -> [[Float]] {
            let engine = try AudioEngine.offline()
            let effect = try Self.connect(engine)
            try engine.start()
            #expect(effect.unit.format.sampleRate == 22_050)
            return try engine.render(8192, block: block)
        }
        let wanted = try offline(512)
        #expect(wanted[0][4000...].contains { abs($0) > 0.1 })
        for block in [1, 31, 64, 4096] { #expect(try offline(block) == wanted, "blocks of \(block)") }
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 64, sampleRate: 48_000)
        let engine = AudioEngine(driver: driver)
        let effect = try Self.connect(engine)
        try engine.start()
        var live: [[Float]] = [[], []]
        while live[0].count < 8192 {
            let block = driver.render(frameCount: 64, isOffline: false, slowdown: 1000)
            for channel in 0..<2 { live[channel] += UnsafeBufferPointer(start: block[channel], count: 64) }
        }
        #expect(live == wanted)
        withExtendedLifetime(effect) {}
    }

    /// A cycle that is longer than the engine's longest by the fastest clock is rendered in pieces.
    @Test func aLongCycleIsRenderedInPieces() throws {
        let sounds = try [4096, 16_384].map { length in
            let driver = ChangingDriver(rate: 48_000)
            let engine = AudioEngine(driver: driver)
            let effect = try Self.connect(engine)
            defer { withExtendedLifetime(effect) {} }
            try engine.start()
            return driver.render(32_768, length: length)
        }
        #expect(sounds[0] == sounds[1] && sounds[0].contains { abs($0) > 0.1 })
    }

    @Test func aTapHasTheRateThatItIsAskedFor() throws {
        let engine = try AudioEngine.offline()
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        player.scheduleBuffer(try Self.sine(1000, rate: 48_000, seconds: 1))
        let taken = Mutex<[Float]>([])
        let tap = try player.installTap(onBus: 0, bufferSize: 1000, format: Self.format(16_000, 1)) { buffer, _ in
            taken.withLock { $0 += UnsafeBufferPointer(start: buffer.samples[0], count: buffer.frameLength) }
        }
        try engine.start()
        player.play()
        _ = try engine.render(48_000)
        tap.remove()
        try #require(waitUntil(milliseconds: 2000) { taken.withLock { $0.count } == 16_000 })
        let (level, ratio) = Self.measure(taken.withLock { $0[1600..<14_400] }, 1000, rate: 16_000)
        #expect(abs(level - 0.5) < 1e-3 && ratio > 100)
    }

    /// A sine goes by a mixer of another rate now and then, and that mixer changes its rate.
    @Test func aConverterThatComesOrGoesIsNotHeardToClick() throws {
        let engine = try AudioEngine.offline()
        let (player, mixer) = (AudioPlayerNode(), AudioMixerNode())
        engine.attach(player)
        engine.attach(mixer)
        try engine.connect(mixer, to: engine.mainMixerNode, format: Self.format(44_100))
        try engine.connect(player, to: engine.mainMixerNode)
        player.scheduleBuffer(try Self.sine(200, rate: 48_000, seconds: 1), options: .loops)
        try engine.start()
        player.play()
        var heard: [Float] = []
        for turn in 0..<12 {
            heard += try engine.render(3000, block: 128)[0]
            switch turn % 3 {
            case 0: try engine.connect(player, to: mixer)
            case 1: try engine.connect(mixer, to: engine.mainMixerNode, format: Self.format(turn % 2 == 0 ? 44_100 : 96_000))
            default: try engine.connect(player, to: engine.mainMixerNode)
            }
        }
        let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
        #expect(heard.contains { abs($0) > 0.4 })
        // The sine's own steepest step is 0.0131; a fade of 5 ms adds 0.5 / 240.
        #expect(steps.max()! < 0.02)
    }

    /// The device changes its rate while a player of the former rate plays: pitch and position stay.
    @Test func aPlayerKeepsItsPitchWhenTheDeviceChangesItsRate() throws {
        let driver = ChangingDriver(rate: 48_000)
        let engine = AudioEngine(driver: driver)
        let (player, effect) = (AudioPlayerNode(), AudioUnitEffect(PluginUnit(try Build.unit("Gain"))))
        engine.attach(player)
        engine.attach(effect)
        try engine.connect(player, to: engine.mainMixerNode)
        engine.disconnectNodeOutput(engine.mainMixerNode)
        try engine.connect(engine.mainMixerNode, to: effect)
        try engine.connect(effect, to: engine.outputNode)
        player.scheduleBuffer(try Self.sine(1000, rate: 48_000, seconds: 1), options: .loops)
        try engine.start()
        player.play()
        _ = driver.render(4800)
        driver.change(to: 96_000)
        try #require(
            waitUntil(milliseconds: 5000) {
                _ = driver.render(256)
                return effect.unit.format.sampleRate == 96_000 && engine.outputNode.inputFormat(forBus: 0)?.sampleRate == 96_000
            })
        _ = driver.render(9600)
        let samples = driver.render(19_200)
        let (level, ratio) = Self.measure(samples[...], 1000, rate: 96_000)
        #expect(abs(level - 0.5) < 1e-3 && ratio > 80)
        #expect(player.outputFormat(forBus: 0)?.sampleRate == 48_000)
    }

    /// No unit takes more than ten million hertz: its input is passed on then, and all else plays.
    @Test func aUnitThatRefusesARateIsLeftOutUntilTheNext() async throws {
        let driver = ChangingDriver(rate: 192_000)
        let engine = AudioEngine(driver: driver)
        let (player, effect) = (AudioPlayerNode(), AudioUnitEffect(PluginUnit(try Build.unit("Gain"))))
        try effect.unit.setValue(-20, of: "gain")
        engine.attach(player)
        engine.attach(effect)
        try engine.connect(player, to: engine.mainMixerNode)
        engine.disconnectNodeOutput(engine.mainMixerNode)
        try engine.connect(engine.mainMixerNode, to: effect)
        try engine.connect(effect, to: engine.outputNode)
        let buffer = try #require(AudioPCMBuffer(pcmFormat: Self.format(192_000), frameCapacity: 192_000))
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<2 { buffer.samples[channel].update(repeating: 0.5, count: buffer.frameLength) }
        player.scheduleBuffer(buffer, options: .loops)
        var changes = engine.configurationChanges.makeAsyncIterator()
        try engine.start()
        player.play()
        func isHeard(_ level: Float) -> Bool {
            waitUntil(milliseconds: 5000) { abs((driver.render(256).last ?? 0) - level) < 1e-3 }
        }
        #expect(isHeard(0.05) && !effect.isLeftOut)
        driver.change(to: 2e7)
        #expect(isHeard(0.5) && effect.isLeftOut)
        driver.change(to: 96_000)
        #expect(isHeard(0.05) && !effect.isLeftOut)
        var told: [AudioEngineConfigurationChange] = []
        for _ in 0..<4 { if let change = await changes.next() { told.append(change) } }
        #expect(told.first == .rateChanged(from: 192_000, to: 2e7) && told.last == .unitReturned(node: "Gain"))
        let reasons = told.compactMap { if case .unitLeftOut("Gain", let reason) = $0 { reason } else { nil } }
        #expect(reasons.count == 1 && reasons.allSatisfy { !$0.isEmpty })
        engine.stop()
    }

    /// A driver that has its new rate, and no cycle: the plan plays on with the next one.
    @Test func whatPlaysGoesOnWhereNoCycleComesAtTheNewRate() throws {
        let driver = ChangingDriver(rate: 48_000)
        let engine = AudioEngine(driver: driver)
        let source = AudioSourceNode { _, _, output in
            for channel in 0..<output.channelCount { for frame in 0..<output.frameCount { output[channel][frame] = 0.5 } }
        }
        engine.attach(source)
        try engine.connect(source, to: engine.mainMixerNode)
        try engine.start()
        #expect(driver.render(4800).last == 0.5)
        let changes = try engine.editLock.withLock { () throws(AudioEngineError) in
            try engine.changeRate(to: 96_000, from: 48_000)
        }
        #expect(changes == nil && driver.render(4800).allSatisfy { $0 == 0.5 })
        _ = try engine.disconnectNodeOutput(source).get()
        #expect(waitUntil(milliseconds: 5000) { driver.render(256).last == 0 })
        engine.stop()
    }

    /// The process ends at this rate, each time: that is a fault and no refusal, and costs the unit alone.
    @Test func aUnitThatDiesAtARateIsTheSupervisorsAffair() throws {
        let driver = ChangingDriver(rate: 48_000)
        let engine = AudioEngine(driver: driver)
        let (player, effect) = (AudioPlayerNode(), AudioUnitEffect(PluginUnit(try Build.unit("Misbehaver"))))
        try effect.unit.setValue(0.1, of: "gain")
        engine.attach(player)
        engine.attach(effect)
        try engine.connect(player, to: engine.mainMixerNode)
        engine.disconnectNodeOutput(engine.mainMixerNode)
        try engine.connect(engine.mainMixerNode, to: effect)
        try engine.connect(effect, to: engine.outputNode)
        let buffer = try #require(AudioPCMBuffer(pcmFormat: Self.format(48_000), frameCapacity: 48_000))
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<2 { buffer.samples[channel].update(repeating: 0.5, count: buffer.frameLength) }
        player.scheduleBuffer(buffer, options: .loops)
        try engine.start()
        player.play()
        func isHeard(_ level: Float) -> Bool {
            waitUntil(milliseconds: 5000) { abs((driver.render(256).last ?? 0) - level) < 1e-3 }
        }
        #expect(isHeard(0.05) && effect.unit.faults.isEmpty)
        driver.change(to: 77_777)
        #expect(isHeard(0.5) && !effect.isLeftOut)
        // It is started again, dies again, and is left in quarantine in the end.
        #expect(
            waitUntil(milliseconds: 20_000) {
                _ = driver.render(256)
                return effect.unit.isQuarantined
            })
        #expect(effect.unit.faults.count > 1 && engine.isRunning)
        driver.change(to: 44_100)
        #expect(isHeard(0.05) && !effect.unit.isQuarantined)
        engine.stop()
    }
}
