// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Players of files: exact samples, files in a row, completions, disks that are slow and files that are damaged. Test thread.

import AudioFiles
import AudioGraph
import Glibc
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct FileTests {
    private let folder = ScratchFolder()
    private let engine: AudioEngine
    private let player = AudioPlayerNode()

    init() throws {
        engine = try AudioEngine.offline()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode, format: Sounds.format())
        try engine.start()
    }

    /// A sound that is the same at every rate: sines up to 14 kHz.
    private static func sound(_ time: Double, _ channel: Int = 0) -> Float {
        let frequencies = [97.0, 441, 1250.5, 3301, 7919, 12_007, 14_000]
        return Float(frequencies.reduce(0) { $0 + 0.12 * sin(2 * Double.pi * $1 * time + $1 + Double(channel)) })
    }

    /// Writes a file of frames that a function of channel and frame gives.
    private func file(
        _ name: String, rate: Double = Sounds.rate, channelCount: Int = 2, _ frameCount: Int, _ sample: (Int, Int) -> Float
    ) throws -> AudioFile {
        let path = folder.file(name)
        let format = AudioFormat(sampleRate: rate, channelCount: channelCount)
        let buffer = try #require(AudioPCMBuffer(pcmFormat: format, frameCapacity: frameCount))
        buffer.frameLength = frameCount
        for channel in 0..<channelCount {
            for frame in 0..<frameCount { buffer.samples[channel][frame] = sample(channel, frame) }
        }
        let file = try AudioFile(forWriting: path, format: format)
        try file.write(from: buffer)
        try file.close()
        return try AudioFile(forReading: path)
    }

    private static func ramp(_ channel: Int, _ frame: Int) -> Float { Float(frame + 1) / 65_536 * (channel == 0 ? 1 : -1) }

    /// The signal-to-noise ratio in decibels.
    private static func ratio(_ heard: ArraySlice<Float>, _ wanted: (Int) -> Float) -> Double {
        var (signal, noise) = (0.0, 0.0)
        for (frame, sample) in zip(heard.indices, heard) {
            signal += Double(wanted(frame)) * Double(wanted(frame))
            noise += Double(sample - wanted(frame)) * Double(sample - wanted(frame))
        }
        return 10 * log10(signal / max(noise, 1e-30))
    }

    @Test(arguments: [1, 31, 512, 4096]) func aFileAtThePlayersRateSoundsAsItIs(block: Int) throws {
        let file = try file("a.wav", 20_000, Self.ramp)
        let calls = Mutex<[AudioPlayerNodeCompletion]>([])
        player.scheduleSegment(file, startingFrame: 100, frameCount: 9000) { call in calls.withLock { $0.append(call) } }
        player.scheduleFile(file, at: AudioTime(sampleTime: 10_000, atRate: Sounds.rate)) { call in
            calls.withLock { $0.append(call) }
        }
        player.play()
        let heard = try engine.render(31_000, block: block)
        for channel in 0..<2 {
            #expect(heard[channel][0..<9000].elementsEqual((100..<9100).map { Self.ramp(channel, $0) }))
            #expect(heard[channel][9000..<10_000].allSatisfy { $0 == 0 })
            #expect(heard[channel][10_000..<30_000].elementsEqual((0..<20_000).map { Self.ramp(channel, $0) }))
            #expect(heard[channel][30_000...].allSatisfy { $0 == 0 })
        }
        try #require(waitUntil(milliseconds: 2000) { calls.withLock { $0.count } == 2 })
        #expect(calls.withLock { $0.map(\.sampleTime) } == [9000, 30_000])
        let allPlayed = calls.withLock { $0.allSatisfy(\.wasPlayed) }
        #expect(allPlayed)
        #expect(player.underrunFrameCount == 0)
    }

    @Test func theChannelsOfAFileBecomeThoseOfThePlayer() throws {
        player.scheduleFile(try file("mono.wav", channelCount: 1, 1000) { _, frame in Float(frame) / 1000 })
        player.scheduleFile(
            try file("six.wav", channelCount: 6, 1000) { channel, _ in channel == 0 ? 0.5 : channel == 5 ? 0.25 : 0 })
        player.play()
        let heard = try engine.render(2000)
        #expect(heard[0][0..<1000] == heard[1][0..<1000] && heard[0][500] == 0.5)
        #expect(heard[0][1500] == 0.5 && abs(heard[1][1500] - 0.25 * 0.707_106_77) < 1e-7)
    }

    /// Twenty files in a row, of five formats and four rates, against the sound that they are parts of.
    @Test(arguments: [4096, 333]) func filesOfManyFormatsAreOneSound(block: Int) throws {
        let kinds = ["wav", "flac", "aiff", "w64", "caf"]
        let rates = [44_100.0, 48_000, 96_000, 88_200]
        let calls = Mutex<[Int64]>([])
        var (start, ends) = (0.0, [Int64]())
        for number in 0..<20 {
            let rate = rates[number * 7 % 4]
            // Whole frames at every rate.
            let seconds = Double(3 + number * 5 % 7) / 100
            let from = start
            let file = try file("\(number).\(kinds[number % 5])", rate: rate, Int((seconds * rate).rounded())) { channel, frame in
                Self.sound(from + Double(frame) / rate, channel)
            }
            player.scheduleFile(file) { call in calls.withLock { $0.append(call.wasPlayed ? call.sampleTime : -1) } }
            start += seconds
            ends.append(Int64((start * Sounds.rate).rounded()))
        }
        let total = Int(ends[19])
        player.play()
        let heard = try engine.render(total + 1000, block: block)
        for channel in 0..<2 {
            for end in ends.dropLast() {
                let near = heard[channel][Int(end) - 64..<Int(end) + 64]
                #expect(
                    Self.ratio(near) { Self.sound(Double($0) / Sounds.rate, channel) } >= 85,
                    "at \(end), of \(ends.firstIndex(of: end) ?? -1)")
            }
            let inside = heard[channel][200..<total - 200]
            #expect(Self.ratio(inside) { Self.sound(Double($0) / Sounds.rate, channel) } >= 90)
            #expect(heard[channel][total...].allSatisfy { $0 == 0 })
        }
        try #require(waitUntil(milliseconds: 2000) { calls.withLock { $0.count } == 20 })
        #expect(calls.withLock { $0 } == ends)
    }

    /// Each file has an odd number of frames, and is scheduled when the one before has been played.
    @Test func noFrameIsLostOrAddedWhereRatesDoNotDivide() throws {
        let files = try (0..<9).map { number in
            try file("\(number).wav", rate: [44_100, 32_000, 22_050][number % 3], 4001 + number) { _, _ in 0.5 }
        }
        for file in files { player.scheduleFile(file) }
        let last = Mutex<Int64?>(nil)
        player.scheduleBuffer(try Sounds.ramp(10)) { call in last.withLock { $0 = call.sampleTime } }
        player.play()
        _ = try engine.render(60_000)
        let seconds = files.reduce(0) { $0 + Double($1.length) / $1.fileFormat.sampleRate }
        try #require(waitUntil(milliseconds: 2000) { last.withLock { $0 } != nil })
        #expect(last.withLock { $0 } == Int64((seconds * Sounds.rate).rounded()) + 10)
    }

    @Test func aFileSoundsTheSameInBlocksOfEverySize() throws {
        let files = try [44_100.0, 96_000].map { rate in
            try file("\(rate).wav", rate: rate, Int(rate / 8)) { channel, frame in Self.sound(Double(frame) / rate, channel) }
        }
        let sounds = try [1, 31, 64, 4096].map { block in
            player.stop()
            for file in files { player.scheduleFile(file) }
            player.play()
            return try engine.render(13_000, block: block)
        }
        for sound in sounds.dropFirst() { #expect(sound == sounds[0]) }
    }

    @Test func whatIsScheduledAfterAStopIsHeardAtOnce() throws {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 256, sampleRate: Sounds.rate)
        let engine = AudioEngine(driver: driver)
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        try engine.start()
        let long = try file("long.wav", 200_000) { _, _ in 0.25 }
        let short = try file("short.wav", rate: 44_100, 44_100) { _, _ in 0.5 }
        for turn in 0..<20 {
            player.scheduleFile(long)
            player.play()
            #expect(driver.render(frameCount: 256, isOffline: false, slowdown: 1000)[0][128] == 0.25)
            player.stop()
            if turn % 2 == 0 { _ = driver.render(frameCount: 256, isOffline: false, slowdown: 1000) }
            player.scheduleFile(short)
            player.play()
            #expect(abs(driver.render(frameCount: 256, isOffline: false, slowdown: 1000)[0][250] - 0.5) < 0.01)
            player.stop()
        }
        #expect(player.underrunFrameCount == 0)
    }

    /// The render thread plays faster than the file can be read and converted.
    @Test func whatIsNotReadInTimeIsSilentAndCountedAndTheRestIsInItsPlace() throws {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 4096, sampleRate: Sounds.rate)
        let engine = AudioEngine(driver: driver)
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        try engine.start()
        let long = try file("long.wav", rate: 96_000, 96_000 * 30) { _, frame in Float(frame / 9600 + 1) / 400 }
        let called = Mutex<Int64?>(nil)
        player.scheduleFile(long) { call in called.withLock { $0 = call.sampleTime } }
        player.play()
        var (missing, wrong) = (0, 0)
        var cycle = 0
        while player.playerTime.sampleTime! < 48_000 * 30 {
            let block = driver.render(frameCount: 4096, isOffline: false, slowdown: 1_000_000)
            // Away from the steps of the sound.
            for frame in stride(from: 0, to: 4096, by: 64) {
                let place = cycle * 4096 + frame
                guard place < 48_000 * 30, (200..<4600).contains(place % 4800) else { continue }
                let sample = block[0][frame]
                if sample == 0 { missing += 1 } else if abs(sample - Float(place / 4800 + 1) / 400) > 1e-4 { wrong += 1 }
            }
            cycle += 1
        }
        #expect(wrong == 0)
        #expect(missing > 0 && player.underrunFrameCount >= 32 * missing)
        try #require(waitUntil(milliseconds: 2000) { called.withLock { $0 } != nil })
        let end = called.withLock { $0 }
        #expect(end == Int64(48_000 * 30))
    }

    @Test func aDamagedFileEndsEarlyAndSaysWhy() throws {
        _ = try file("whole.flac", 200_000) { channel, frame in Self.sound(Double(frame) / 48_000, channel) }
        let bytes = folder.read("whole.flac")
        folder.write("half.flac", Array(bytes.prefix(bytes.count / 2)))
        let calls = Mutex<[AudioPlayerNodeCompletion]>([])
        player.scheduleFile(try AudioFile(forReading: folder.file("half.flac"))) { call in calls.withLock { $0.append(call) } }
        player.scheduleBuffer(try Sounds.ramp(100)) { call in calls.withLock { $0.append(call) } }
        player.play()
        _ = try engine.render(200_000)
        try #require(waitUntil(milliseconds: 2000) { calls.withLock { $0.count } == 2 })
        let (file, buffer) = (calls.withLock { $0[0] }, calls.withLock { $0[1] })
        #expect(!file.wasPlayed && file.failure != nil && (50_000..<150_000).contains(file.sampleTime))
        #expect(buffer.wasPlayed && buffer.sampleTime == file.sampleTime + 100)
    }

    /// A part that is shorter than what the converter looks ahead, between others and at the end; and a part that is scheduled late.
    @Test func shortPartsOfOneRateAreOneSound() throws {
        let file = try file("a.wav", rate: 44_100, 30_000) { channel, frame in Self.sound(Double(frame) / 44_100, channel) }
        for (start, count) in [(0, 9000), (9000, 50), (9050, 120), (9170, 9030), (18_200, 60)] {
            player.scheduleSegment(file, startingFrame: Int64(start), frameCount: count)
        }
        player.play()
        let end = Int((18_260.0 * 48_000 / 44_100).rounded())
        var heard = try engine.render(end - 2000)[0]
        // Now the end of what is known has been made.
        player.scheduleSegment(file, startingFrame: 18_260, frameCount: 9000)
        heard += try engine.render(8000)[0]
        for middle in [9796, 9850, 9981] {
            #expect(Self.ratio(heard[middle - 64..<middle + 64]) { Self.sound(Double($0) / 48_000) } > 85, "at \(middle)")
        }
        // What was made as the end may have been made into silence; what follows knows what came before.
        #expect(Self.ratio(heard[end + 8..<end + 64]) { Self.sound(Double($0) / 48_000) } > 60)
    }

    /// Another thread stops the player while the engine waits for its file offline.
    @Test func aStopEndsTheWaitForAFile() throws {
        let slow = try file("long.wav", rate: 96_000, 96_000 * 20) { _, frame in Float(frame % 100) / 200 }
        let isOver = Atomic<Bool>(false)
        let thread = try LinuxSystem.Thread(name: "stops") { [player] in
            for turn in 0..<40 {
                Futex.pause(microseconds: UInt32(500 + turn * 177 % 9000))
                player.stop()
                player.scheduleFile(slow)
                player.play()
            }
            isOver.store(true, ordering: .releasing)
        }
        let began = MonotonicClock.now()
        while !isOver.load(ordering: .acquiring) { _ = try engine.render(4096, block: 4096) }
        thread.join()
        #expect(MonotonicClock.now() - began < 2 * UInt64(Patience.seconds() * 1e9))
    }

    @Test func wrongPartsAndFilesAreRefused() throws {
        let file = try file("a.wav", 1000, Self.ramp)
        let writing = try AudioFile(forWriting: folder.file("b.wav"), format: Sounds.format())
        for (start, count) in [(Int64(-1), 10), (0, 1001), (1001, 0), (500, Int.max), (Int64.max, 1), (0, -1)] {
            #expect(throws: AudioEngineError.self) {
                try player.scheduleSegment(file, startingFrame: start, frameCount: count).get()
            }
        }
        #expect(throws: AudioEngineError.file(node: NamedNode(player), .notOpen(path: writing.path, act: .read))) {
            try player.scheduleFile(writing).get()
        }
        #expect(throws: AudioFileError.missing(path: "/none.wav")) { try AudioFile(forReading: "/none.wav") }
        let called = Mutex(false)
        player.scheduleSegment(file, startingFrame: 500, frameCount: 0) { _ in called.withLock { $0 = true } }
        player.play()
        _ = try engine.render(100)
        #expect(waitUntil(milliseconds: 2000) { called.withLock { $0 } })
        #expect(throws: AudioEngineError.self) { try engine.start() }
    }

    @Test func playersOfFilesBeginOnOneFrame() throws {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 64, sampleRate: Sounds.rate)
        let engine = AudioEngine(driver: driver)
        let file = try file("click.wav", 10_000) { _, frame in frame == 0 ? 1.0 / 64 : 0 }
        let players = try (0..<64).map { _ in
            let player = AudioPlayerNode()
            engine.attach(player)
            try engine.connect(player, to: engine.mainMixerNode)
            player.scheduleFile(file)
            return player
        }
        try engine.start()
        AudioPlayerNode.play(players)
        var heard: [Float] = []
        for _ in 0..<200 {
            let block = driver.render(frameCount: 64, isOffline: false, slowdown: 1000)
            heard += UnsafeBufferPointer(start: block[0], count: 64)
        }
        #expect(heard.filter { $0 != 0 } == [1])
    }
}
