// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Assets that are read while they play, beside the same assets in memory. Test thread.

import AudioFiles
import Glibc
import LinuxSystem
import Realtime
import TestSupport
import Testing

@testable import SoundEvents

@Suite(.timeLimit(.minutes(2))) struct StreamedAssetTests {
    private let folder = ScratchFolder()
    private var path: String { folder.file("sound.wav") }

    /// Writes two channels of more frames than are read ahead, each with its own samples.
    private func write(
        rate: Double = 48_000, frameCount: Int = 150_000, _ sample: (Int) -> Float = { Float(($0 * 7919) % 1009) / 1009 }
    ) throws {
        let audio = try #require(LoadedAudio(channelCount: 2, frameCount: frameCount, sampleRate: rate))
        for frame in 0..<frameCount { (audio[0][frame], audio[1][frame]) = (sample(frame), -sample(frame)) }
        let writer = try AudioFileWriter(path: path, sampleRate: rate, channelCount: 2)
        try writer.write(audio)
        try writer.finish()
    }

    /// Plays the same file from memory, and as it is read.
    private func both(_ change: (inout Sampler) -> Void = { _ in }, _ play: (EventBench, SoundEvent) throws -> [Float]) throws
        -> [[Float]]
    {
        try [AssetStorage.resident, .streamed].map { storage in
            let bench = try EventBench()
            try bench.present.assets.registerSound(file: path, storage: storage, id: "sound")
            let event = try bench.event(EventBench.sampler("sound", change))
            let sound = try play(bench, event)
            #expect(event.missingFrameCount == 0)
            #expect(try bench.present.missingFrameCount == 0)
            return sound
        }
    }

    @Test(arguments: [64, 512, 4096]) func aStreamedAssetIsTheSameBitsAsOneInMemory(block: Int) throws {
        try write()
        let sounds = try both { bench, event in
            let endings = Endings()
            try event.start(at: 33) { endings.add($0) }
            let sound = try bench.render(160_000, block: block)
            try bench.present.update()
            #expect(endings.all == [.finished])
            return sound
        }
        #expect(sounds[0].contains { $0 != 0 } && sounds[0] == sounds[1])
    }

    @Test func aLoopHasNoSeam() throws {
        try write(frameCount: 1777)
        let sounds = try both {
            $0.playback = .looping
        } _: { bench, event in
            try event.start()
            return try bench.render(100_000, block: 500)
        }
        #expect(sounds[0] == sounds[1])
    }

    @Test func aSeekGoesToItsFrame() throws {
        try write()
        let sounds = try both { bench, event in
            try event.start()
            var sound = try bench.render(1000)
            for seconds in [2.5, 0.01, 3.0, 0] {
                try event.seek(to: seconds)
                sound += try bench.render(3000)
            }
            try event.seek(to: 3.2)
            sound += try bench.render(512)
            try bench.present.update()
            #expect(event.phase == .ended)
            return sound
        }
        #expect(sounds[0] == sounds[1])
    }

    @Test(arguments: [24_000.0, 44_100, 96_000]) func aStreamedFileHasARateOfItsOwn(rate: Double) throws {
        try write(rate: rate, frameCount: Int(rate)) { Float(Maths.sin(2 * Double.pi * 440 * Double($0) / rate)) }
        let sounds = try both { bench, event in
            try event.start()
            return try bench.render(40_000, block: 333)
        }
        for sound in sounds {
            expect(Array(sound[1000...]), { Maths.sin(2 * Double.pi * 440 * Double($0 + 1000) / 48_000) }, within: 3e-4)
        }
    }

    @Test func aSoundWakesInAFileAsInMemory() throws {
        try write()
        for culling in [Sampler.Culling.sleepWakeAtZero, .sleepWakeAtRandomOffset, .sleepWakeAtRealtimeOffset] {
            let sounds = try both {
                $0.culling = culling
            } _: { bench, event in
                try event.start()
                var sound = try bench.render(1000)
                event.memory.core.pointee.leaves[0].sleep(at: 1000, over: 240)
                sound += try bench.render(30_000)
                event.memory.core.pointee.leaves[0].wake(at: 31_000, over: 240)
                return sound + (try bench.render(5000))
            }
            #expect(sounds[0] == sounds[1], "\(culling)")
        }
    }

    @Test func aFrameThatIsNotThereInTimeIsSilentAndCounted() throws {
        guard let made = FileRing(channelCount: 1, byteCount: 8192, bell: .none) else {
            Issue.record("There is no memory.")
            return
        }
        let holder = UnsafeMutablePointer<FileRing>.allocate(capacity: 1)
        holder.initialize(to: made)
        defer {
            holder.deinitialize(count: 1)
            holder.deallocate()
        }
        #expect(holder.pointee.capacity == 2048)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 64)
        let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
        channels.initialize(to: memory)
        defer {
            memory.deallocate()
            channels.deallocate()
        }
        let block = AudioBlock(channels: channels, channelCount: 1, frameCount: 64)
        memory.initialize(repeating: 0.5, count: 64)
        holder.pointee.write(block, 64)
        holder.pointee.write(block, 16)
        memory.update(repeating: 0, count: 64)
        #expect(holder.pointee.fill(block, from: 0, isOffline: false) == 0 && memory[63] == 0.5)
        memory.update(repeating: 0, count: 64)
        #expect(holder.pointee.fill(block, from: 64, isOffline: false) == 48 && memory[15] == 0.5 && memory[16] == 0)
        // Frames that come too late keep their places.
        memory.update(repeating: 0.25, count: 64)
        holder.pointee.write(block, 64)
        memory.update(repeating: 0, count: 64)
        #expect(holder.pointee.fill(block, from: 128, isOffline: false) == 48 && memory[15] == 0.25 && memory[16] == 0)
        // A seek hears nothing of what is there.
        holder.pointee.seek(toFrame: 1000)
        #expect(holder.pointee.fill(block, from: 1000, isOffline: false) == 64)
        holder.pointee.serve(1, at: 1000)
        holder.pointee.write(block, 64)
        #expect(holder.pointee.fill(block, from: 1000, isOffline: false) == 0)
    }

    @Test func aStreamedFileThatCannotBePlayedIsRefused() throws {
        let bench = try EventBench()
        let assets = try bench.present.assets
        #expect(throws: SoundEventError.self) { try assets.registerSound(file: "/nothing.wav", storage: .streamed) }
        try write(rate: 352_800, frameCount: 100)
        do throws(SoundEventError) {
            try assets.registerSound(file: path, storage: .streamed)
            Issue.record("It has been registered.")
        } catch { #expect("\(error)".hasSuffix("is more than four times the engine's: keep the sound in memory instead.")) }
        try write()
        try assets.registerSound(file: path, storage: .streamed, normalization: .dynamic, id: "sound")
        #expect(try assets.sound("sound").gain < 1)
        let tree = try assets.registerTree(EventBench.sampler("sound"))
        remove(path)
        #expect(throws: SoundEventError.self) { try SoundEvent(tree, in: try bench.present) }
    }

    private func remove(_ path: String) { Glibc.remove(path) }
}
