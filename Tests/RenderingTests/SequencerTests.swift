// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What tracks hand out along a song, message by message. Test thread.

import Realtime
import RenderingTestSupport
import TestSupport
import Testing

@testable import Rendering

/// A song that is rendered without units, and ports that are read after each cycle.
private final class Hall {
    let line = TransportLine()
    let ports: [MessagePort]
    private let player: PlanPlayer
    private let driver: SteppedDriver
    // SAFETY: the test's thread alone renders and reads.
    private let readers: UnsafeMutablePointer<MessagePortReader>
    private var time: Int64 = 0

    init(ports count: Int = 1) {
        ports = (0..<count).map { _ in MessagePort() }
        readers = .allocate(capacity: count)
        for (index, port) in ports.enumerated() {
            (readers + index).initialize(to: MessagePortReader(port.core, isPipelined: false))
        }
        player = PlanPlayer(transport: line)
        driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 4096, sampleRate: 48_000)
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 4096)
        player.play(builder.plan(output: builder.add(source: Constant(0))))
    }

    deinit {
        readers.deinitialize(count: ports.count)
        readers.deallocate()
    }

    func part(_ messages: [SequencedMessage], _ port: Int = 0) -> SequencedPart {
        var part = SequencedPart(SequencedTrack(), MessageList(messages))
        part.port = ports[port]
        return part
    }

    func play(_ parts: [SequencedPart]) { line.sequencer.play(parts, for: ObjectIdentifier(self)) }

    /// Renders a cycle; what the units hear, or nothing where they do not read.
    func render(_ frameCount: Int, reading: Bool = true) -> [[DueMessage]] {
        driver.render(frameCount: frameCount)
        let silence = AudioBuffer(channelCount: 1, frameCapacity: frameCount)
        var cycle = RenderCycle(
            sampleTime: time, hostTime: 0, sampleRate: 48_000, transport: Transport(), isOffline: true,
            inputs: silence.block(frameCount: frameCount), outputs: silence.block(frameCount: frameCount))
        cycle.timing = DriverTiming(driverTime: time)
        time += Int64(frameCount)
        return ports.indices.map { index in
            var heard: [DueMessage] = []
            guard reading else { return heard }
            readers[index].begin(cycle)
            while let message = readers[index].next(cycle) { heard.append(message) }
            return heard
        }
    }
}

extension DueMessage {
    fileprivate var text: String { "\(time) \(status) \(data1) \(data2)" }
}

private func note(_ beat: Double, _ key: UInt8, length: Double, channel: UInt8 = 0) -> [SequencedMessage] {
    [SequencedMessage(beat: beat, 0x90 | channel, key, 99), SequencedMessage(beat: beat + length, 0x80 | channel, key, 64)]
}

@Suite struct SequencedExclusiveTests {
    private let reset: [UInt8] = [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]
    private func volume(_ value: UInt8) -> [UInt8] { [0xF0, 0x7F, 0x7F, 0x04, 0x01, 0, value, 0xF7] }

    private func messages(_ heard: [DueMessage]) -> [[UInt8]] {
        SystemExclusivePacket.messages(
            of: heard.filter { SystemExclusivePacket.begins(with: $0.status) }.map { ($0.status, $0.data1, $0.data2) })
    }

    @Test(arguments: 3..<12) func packetsKeepAllBytes(count: Int) {
        let bytes = [0xF0] + (0..<count - 2).map { UInt8($0) } + [0xF7]
        let packets = SystemExclusivePacket.packets(of: bytes)
        #expect(packets.count == (count + 2) / 3 && SystemExclusivePacket.messages(of: packets) == [bytes])
        #expect(SystemExclusivePacket.messages(of: packets.dropLast()).isEmpty)
    }

    @Test func aMessageIsHeardWholeAtItsFrameAmongTheOthers() {
        let hall = Hall()
        let messages = note(0, 1, length: 1) + SequencedMessage.packets(of: volume(9), beat: 1) + note(1, 2, length: 1)
        hall.play([hall.part(messages)])
        hall.line.change { $0.isPlaying = true }
        let heard = (0..<8).flatMap { _ in hall.render(4096)[0] }
        #expect(self.messages(heard) == [volume(9)])
        let packets = heard.filter { SystemExclusivePacket.begins(with: $0.status) }
        #expect(packets.count == 3 && packets.allSatisfy { $0.time == 24_000 })
        // The end of a note before it, the beginning of one behind it.
        #expect(heard.map(\.status) == [0x90, 0x80, 0xF0, 0x04, 9, 0x90])
    }

    @Test func afterAJumpTheLastResetAndWhatWasSetSinceAreSentAgain() {
        let hall = Hall()
        let messages =
            SequencedMessage.packets(of: volume(1), beat: 0) + [
                SequencedMessage(beat: 0, 0xC0, 5), SequencedMessage(beat: 0, 0xB1, 7, 3),
            ]
            + SequencedMessage.packets(of: reset, beat: 1) + SequencedMessage.packets(of: volume(2), beat: 1)
            + SequencedMessage.packets(of: volume(3), beat: 2) + [SequencedMessage(beat: 2, 0xC0, 6)] + note(9, 1, length: 1)
        hall.play([hall.part(messages)])
        hall.line.change(beat: 8) { $0.isPlaying = true }
        let heard = hall.render(4096)[0]
        #expect(self.messages(heard) == [reset, volume(3)])
        #expect(heard.filter { $0.status == 0xC0 }.map(\.data1) == [6])
        #expect(!heard.contains { $0.status == 0xB1 && $0.data1 == 7 })
        #expect(heard.first?.status == 0xF0)
    }
}

@Suite struct SequencerCoreTests {
    @Test func atOneFrameNotesEndFirstAndBeginLast() {
        let hall = Hall()
        let late = hall.part(note(0, 1, length: 1) + note(1, 2, length: 1))
        let early = hall.part(note(0, 3, length: 1) + [SequencedMessage(beat: 1, 0xC0, 7)] + note(1, 4, length: 1))
        hall.play([late, early])
        hall.line.change { $0.isPlaying = true }
        #expect(hall.render(4096)[0].map(\.text) == ["0 144 1 99", "0 144 3 99"])
        let heard = (0..<5).flatMap { _ in hall.render(4096)[0] }
        let wanted = ["24000 128 1 64", "24000 128 3 64", "24000 192 7 0", "24000 144 2 99", "24000 144 4 99"]
        #expect(heard.map(\.text) == wanted)
    }

    /// Two tracks of one channel: the pedal that one of them holds at the new place does not go up with that of the other one.
    @Test func allTracksLetGoBeforeAnyIsTakenUp() {
        let hall = Hall()
        let pedal = [SequencedMessage(beat: 0, 0xB0, 64, 127), SequencedMessage(beat: 1, 0xB0, 64, 0)]
        hall.play([hall.part([SequencedMessage(beat: 2, 0xB0, 64, 127)]), hall.part(pedal)])
        hall.line.change { $0.isPlaying = true }
        #expect(hall.render(100)[0].map(\.text).last == "0 176 64 127")
        hall.line.change(beat: 3)
        let heard = hall.render(100)[0].map(\.text)
        #expect(heard == ["100 176 64 0", "100 176 64 127", "100 176 64 0"])
    }

    @Test func aNoteWithoutLengthEndsAfterItHasBegun() {
        let hall = Hall()
        hall.play([hall.part(note(0, 5, length: 0) + note(0, 6, length: 0))])
        hall.line.change { $0.isPlaying = true }
        #expect(hall.render(10)[0].map(\.text) == ["0 144 5 99", "0 128 5 64", "0 144 6 99", "0 128 6 64"])
        #expect(hall.render(10)[0].isEmpty)
    }

    @Test func aUnitThatDoesNotReadIsToldWhatHoldsOnceItDoes() {
        let hall = Hall()
        let controllers = (0..<20_000).map { SequencedMessage(beat: Double($0) / 1000, 0xB0, 7, UInt8($0 / 200)) }
        let notes = (0..<40).flatMap { note(Double($0) / 2, UInt8($0), length: 0.25) }
        hall.play([hall.part(controllers + notes)])
        hall.line.change { $0.isPlaying = true }
        for _ in 0..<60 { _ = hall.render(4096, reading: false) }
        #expect(hall.line.sequencer.droppedCount == 1)
        // 253952 frames are 10.58 beats: what is left from before is read, and then what holds.
        for _ in 0..<2 { _ = hall.render(4096) }
        let heard = hall.render(4096)[0]
        #expect(heard.contains { $0.text == "253952 176 7 52" })
        #expect(heard.last.map { $0.time < 258_048 } == true)
        #expect(!heard.contains { $0.beginsNote && $0.data1 < 20 })
        let later = (0..<20).flatMap { _ in hall.render(4096)[0] }
        #expect(later.contains { $0.beginsNote } && later.contains { $0.data1 == 7 && $0.data2 > 60 })
    }

    @Test func everyNoteEndsEvenWhereItsEndFindsNoRoom() {
        let hall = Hall()
        // More notes than a port has room for the ends of, in several tracks.
        let parts = (0..<5).map { _ in
            hall.part((0..<16).flatMap { channel in (0..<128).flatMap { note(0, UInt8($0), length: 99, channel: UInt8(channel)) } })
        }
        hall.play(parts)
        hall.line.change { $0.isPlaying = true }
        var begun = 0
        for _ in 0..<8 { begun += hall.render(4096)[0].count { $0.beginsNote } }
        #expect(begun == 5 * 2048)
        hall.line.change { $0.isPlaying = false }
        let ends = hall.render(4096)[0]
        #expect(ends.count { $0.status >> 4 == 8 } == MessagePortCore.capacity)
        #expect(ends.suffix(48).count { $0.data1 == 123 } == 16)
        #expect(hall.render(4096)[0].isEmpty)
    }

    /// What is handed out does not depend on how time is cut into cycles.
    @Test(arguments: 0..<20) func everyCutGivesTheSame(turn: Int) throws {
        var random = Seed()
        for _ in 0..<(turn * 10_000) { _ = random.next() }
        var song = TransportLine.Wishes()
        song.map = TempoMap(
            unlimited: (0..<8).map { _ in
                .init(beat: Double.random(in: 0...20, using: &random), beatsPerMinute: Double.random(in: 20...900, using: &random))
            })
        let start = Double.random(in: 0...5, using: &random)
        if Bool.random(using: &random) { song.loop = start..<(start + Double.random(in: 0.1...4, using: &random)) }
        song.isPlaying = true
        let tracks = (0..<4).map { _ in
            (0..<200).flatMap { _ in
                note(
                    Double.random(in: 0...20, using: &random), UInt8.random(in: 0..<128, using: &random),
                    length: Double.random(in: 0...2, using: &random))
            }
        }
        let loops = (0..<4).map { _ -> (Range<Double>, Int) in
            let start = Double.random(in: 0...3, using: &random)
            return (start..<(start + Double.random(in: 0.02...2, using: &random)), Int.random(in: 1...9, using: &random))
        }
        func heard(_ cut: () -> Int) -> [String] {
            let hall = Hall()
            hall.play(
                zip(tracks, loops).map { messages, loop in
                    var part = hall.part(messages)
                    (part.loop, part.passCount) = loop
                    return part
                })
            hall.line.change { $0 = song }
            var (left, all) = (200_000, [String]())
            while left > 0 {
                let count = min(left, cut())
                all += hall.render(count)[0].map(\.text)
                left -= count
            }
            return all
        }
        let wanted = heard { 4096 }
        // How many there are depends on the seed: a slow song with a short loop has few.
        #expect(!wanted.isEmpty && wanted == heard { 1 + Int.random(in: 0..<700, using: &random) })
        #expect(wanted == heard { 64 })
    }

    @Test func whatIsReplacedIsFreed() {
        let hall = Hall()
        weak var track: SequencedTrack?
        do {
            let part = hall.part(note(0, 1, length: 9))
            track = part.track
            hall.play([part])
            hall.line.change { $0.isPlaying = true }
            _ = hall.render(100)
        }
        #expect(track != nil)
        hall.play([])
        #expect(hall.render(100)[0].map(\.text) == ["100 128 1 64"])
        hall.play([hall.part([])])
        #expect(track == nil)
    }

    @Test func notesBeginAgainWhereTheTimeLineBeginsAnew() {
        let port = MessagePort()
        port.open()
        var reader = MessagePortReader(port.core, isPipelined: false)
        let silence = AudioBuffer(channelCount: 1, frameCapacity: 100)
        /// What a block hears of a note that begins at its first frame, or that much earlier.
        func heard(at time: Int64, late: Int64 = 0) -> [String] {
            var cycle = RenderCycle(
                sampleTime: time, hostTime: 0, sampleRate: 48_000, transport: Transport(), isOffline: true,
                inputs: silence.block(frameCount: 100), outputs: silence.block(frameCount: 100))
            cycle.timing = DriverTiming(driverTime: time)
            let isWritten = port.core.pointee.write(DueMessage(time: time - late, 0x90, 1, 99), isUrgent: false)
            #expect(isWritten)
            reader.begin(cycle)
            return reader.next(cycle).map { [$0.text] } ?? []
        }
        #expect(heard(at: 0) == ["0 144 1 99"])
        // The unit was away.
        #expect(heard(at: 96_000, late: 4801) == [])
        #expect(heard(at: 96_000, late: 4801) == [], "the block is rendered again")
        #expect(heard(at: 0) == ["0 144 1 99"])
    }

    @Test func framesOfTheDriverAreCountedByOtherClocks() {
        var timing = DriverTiming(driverTime: 7)
        #expect(timing.time(ofDriverFrame: 1000) == 1000)
        timing.count(from: nil, (147, 160))
        #expect(timing.time(ofDriverFrame: 160) == 147 && timing.time(ofDriverFrame: 161) == 148)
        timing.count(from: (100, 30), (3, 2))
        #expect(timing.time(ofDriverFrame: 100) == 30 && timing.time(ofDriverFrame: 101) == 32)
    }
}
