// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a port keeps of the messages to its unit, and sends again. Test thread.

import Realtime
import RenderingTestSupport
import TestSupport
import Testing

@testable import Rendering

@Suite struct ChannelControlsTests {
    /// A port, with a unit that reads it in blocks of 100 frames.
    private final class Stand {
        let port = MessagePort()
        // SAFETY: the test's thread alone reads.
        private let reader: UnsafeMutablePointer<MessagePortReader>
        private var time: Int64 = 0

        init() {
            port.open()
            port.openControls()
            reader = .allocate(capacity: 1)
            reader.initialize(to: MessagePortReader(port.core, isPipelined: false))
        }

        deinit {
            reader.deinitialize(count: 1)
            reader.deallocate()
        }

        func send(_ bytes: [UInt8], cable: UInt8 = 0, isKept: Bool = true) {
            let filler = SystemExclusivePacket.filler
            let third = bytes.count > 2 ? bytes[2] : bytes[0] >= 0xC0 && bytes[0] < 0xE0 ? 0 : filler
            let message = DueMessage(
                time: time, bytes[0], bytes.count > 1 ? bytes[1] : filler, third, cable: cable, isKept: isKept)
            let isWritten = port.core.pointee.write(message, isUrgent: true)
            #expect(isWritten)
        }

        func send(exclusive bytes: [UInt8], cable: UInt8 = 0, isKept: Bool = true) {
            for packet in SystemExclusivePacket.packets(of: bytes) {
                send([packet.0, packet.1, packet.2], cable: cable, isKept: isKept)
            }
        }

        /// What the unit hears in the next block.
        @discardableResult
        func render(again: Bool = false) -> [DueMessage] {
            if again { time -= 100 }
            let silence = AudioBuffer(channelCount: 1, frameCapacity: 100)
            var cycle = RenderCycle(
                sampleTime: time, hostTime: 0, sampleRate: 48_000, transport: Transport(), isOffline: true,
                inputs: silence.block(frameCount: 100), outputs: silence.block(frameCount: 100))
            cycle.timing = DriverTiming(driverTime: time)
            if again { reader.pointee.rewind(to: time) }
            time += 100
            var heard: [DueMessage] = []
            reader.pointee.begin(cycle)
            while let message = reader.pointee.next(cycle) { heard.append(message) }
            return heard
        }

        var beginsPanic: Bool { reader.pointee.beginsPanic }

        /// Restarts the unit, and returns its first messages; `joined` puts system-exclusive messages together.
        func restart(joined: Bool = false) -> [[UInt8]] {
            port.startAnew()
            let heard = render()
            guard joined else { return heard.map(Self.bytes) }
            let packets = heard.filter { SystemExclusivePacket.begins(with: $0.status) }
            return SystemExclusivePacket.messages(of: packets.map { ($0.status, $0.data1, $0.data2) })
                + heard.filter { !SystemExclusivePacket.begins(with: $0.status) }.map(Self.bytes)
        }

        static func bytes(_ message: DueMessage) -> [UInt8] {
            message.status >> 4 == 0xC || message.status >> 4 == 0xD
                ? [message.status, message.data1] : [message.status, message.data1, message.data2]
        }
    }

    private func stand(_ messages: [[UInt8]]) -> Stand {
        let stand = Stand()
        for message in messages { stand.send(message) }
        stand.render()
        stand.render()
        return stand
    }

    @Test func banksComeBeforeProgramsAndParametersBeforeTheChoiceThatHolds() {
        let stand = stand([
            [0xB0, 7, 40], [0xC0, 5], [0xB0, 32, 2], [0xB0, 0, 1], [0xE0, 1, 70], [0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 12],
            [0xB0, 38, 50], [0xB0, 100, 2], [0xB0, 6, 66], [0xB0, 42, 3], [0xB0, 10, 9], [0xD0, 8],
        ])
        #expect(
            stand.restart() == [
                [0xB0, 0, 1], [0xB0, 32, 2], [0xC0, 5], [0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 12], [0xB0, 38, 50],
                [0xB0, 101, 0],
                [0xB0, 100, 2], [0xB0, 6, 66], [0xB0, 101, 0], [0xB0, 100, 2], [0xB0, 7, 40], [0xB0, 10, 9], [0xE0, 1, 70],
                [0xB0, 42, 3], [0xD0, 8],
            ])
        #expect(stand.render().isEmpty, "once")
    }

    @Test func bothKindsOfParametersAreTold() {
        let stand = stand([
            [0xB2, 101, 0], [0xB2, 100, 1], [0xB2, 6, 65], [0xB2, 99, 1], [0xB2, 98, 8], [0xB2, 6, 3], [0xB2, 38, 4],
        ])
        #expect(
            stand.restart() == [
                [0xB2, 101, 0], [0xB2, 100, 1], [0xB2, 6, 65], [0xB2, 99, 1], [0xB2, 98, 8], [0xB2, 6, 3], [0xB2, 38, 4],
                [0xB2, 101, 0], [0xB2, 100, 1], [0xB2, 99, 1], [0xB2, 98, 8],
            ])
    }

    @Test func withoutAChosenParameterDataEntrySetsNothing() {
        let stand = stand([[0xB0, 6, 12], [0xB0, 101, 127], [0xB0, 100, 127], [0xB0, 6, 13]])
        #expect(stand.restart() == [[0xB0, 101, 127], [0xB0, 100, 127]])
    }

    @Test func aResetOfControllersLeavesWhatItLeaves() {
        let stand = stand([
            [0xB0, 7, 40], [0xB0, 1, 3], [0xB0, 74, 4], [0xE0, 0, 70], [0xC0, 5], [0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 12],
            [0xB1, 1, 9], [0xB0, 121, 0],
        ])
        #expect(
            stand.restart() == [
                [0xC0, 5], [0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 12], [0xB0, 101, 127], [0xB0, 100, 127], [0xB0, 7, 40],
                [0xB1, 1, 9], [0xB0, 74, 4],
            ])
    }

    @Test(
        arguments: [
            [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7], [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7],
            [0xF0, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7],
        ] as [[UInt8]])
    func aResetOfTheSystemForgetsAll(reset: [UInt8]) {
        let stand = stand([[0xB0, 7, 40]])
        stand.send(exclusive: [0xF0, 0x7F, 0x7F, 0x04, 0x01, 0, 9, 0xF7])
        stand.send(exclusive: reset)
        stand.send([0xB0, 7, 50])
        stand.render()
        stand.render()
        #expect(stand.restart(joined: true) == [reset, [0xB0, 7, 50]])
    }

    @Test func anotherMessageOfTheSystemForgetsNothing() {
        let (stand, volume) = (stand([[0xB0, 7, 40]]), [0xF0, 0x7F, 0x7F, 0x04, 0x01, 0, 9, 0xF7] as [UInt8])
        stand.send(exclusive: volume)
        stand.render()
        #expect(stand.restart(joined: true) == [volume, [0xB0, 7, 40]])
    }

    @Test func monoAndPolyAreOneState() {
        #expect(stand([[0xB0, 126, 1], [0xB0, 127, 0]]).restart() == [[0xB0, 127, 0]])
        #expect(stand([[0xB0, 127, 0], [0xB0, 126, 1]]).restart() == [[0xB0, 126, 1]])
    }

    @Test func aSequencersMessagesAreItsOwn() {
        let stand = stand([])
        stand.send([0xB0, 7, 40], isKept: false)
        stand.render()
        #expect(stand.restart().isEmpty)
    }

    @Test func cablesAreKeptApart() {
        let stand = stand([])
        stand.send([0xC3, 1], cable: 0)
        stand.send([0xC3, 2], cable: 255)
        stand.render()
        stand.port.startAnew()
        #expect(stand.render().map(\.cable) == [0, 255])
        stand.send(exclusive: [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7], cable: 255)
        stand.render()
        stand.render()
        #expect(stand.restart(joined: true) == [[0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7], [0xC3, 1]])
    }

    @Test func aBlockThatIsRenderedAgainBeginsWithTheStateBeforeIt() {
        let stand = stand([[0xB0, 7, 40]])
        stand.send([0xB0, 7, 50])
        #expect(stand.render().map(Stand.bytes) == [[0xB0, 7, 50]])
        // The process died meanwhile.
        stand.port.startAnew()
        #expect(stand.render(again: true).map(Stand.bytes) == [[0xB0, 7, 40], [0xB0, 7, 50]])
        #expect(stand.restart() == [[0xB0, 7, 50]])
    }

    @Test func pedalsBelongToTheFootAndNotToADocument() {
        let stand = stand([[0xB0, 64, 127], [0xB0, 66, 127], [0xB0, 7, 40]])
        #expect(stand.port.stateMessages.map(\.bytes) == [[0xB0, 7, 40]])
        #expect(stand.restart() == [[0xB0, 64, 127], [0xB0, 66, 127], [0xB0, 7, 40]].sorted { $0[1] < $1[1] })
        let other = Stand()
        other.port.begin(with: stand.port.stateMessages)
        #expect(other.restart() == [[0xB0, 7, 40]])
    }

    @Test func whatIsSaidOfAUnitWithoutAReaderIsKept() {
        let port = MessagePort()
        port.open()
        port.openControls()
        let isWritten = port.core.pointee.write(DueMessage(time: 0, 0xB0, 7, 40, isKept: true), isUrgent: true)
        #expect(isWritten)
        _ = MessagePortReader(port.core, isPipelined: false)
        #expect(port.stateMessages.map(\.bytes) == [[0xB0, 7, 40]])
        let revision = port.stateRevision
        port.begin(with: port.stateMessages)
        #expect(port.stateRevision == revision)
    }

    @Test func whatFindsNoRoomIsCountedAndTheRestIsKept() {
        let port = MessagePort()
        let messages = (0..<2000).map { index -> StateMessage in
            let (status, number) = (0xB0 | UInt8(index % 16), UInt8(16 + index / 16 % 16))
            return StateMessage(cable: UInt8(index / 256), bytes: [status, number, 1])
        }
        port.begin(with: messages)
        #expect(port.stateMessages.count == ChannelControls.capacity)
        let droppedCount = port.core.pointee.controls.droppedCount.load(ordering: .relaxed)
        #expect(droppedCount == 2000 - 1024)
    }

    // MARK: Panic

    @Test func aPanicEndsEverythingOnEachChannelOfEachCableBeforeOtherMessages() {
        let stand = stand([[0xB0, 64, 127]])
        stand.send([0x90, 60, 100], cable: 2)
        stand.render()
        stand.send([0x90, 61, 100])
        stand.port.panic()
        let heard = stand.render()
        #expect(stand.beginsPanic && heard.count == 3 * 64 + 1 && heard.last?.data1 == 61)
        for cable in UInt8(0)..<3 {
            for channel in UInt8(0)..<16 {
                let own = heard.dropLast().filter { $0.cable == cable && $0.status == 0xB0 | channel }
                #expect(own.map(\.data1) == [64, 66, 123, 120] && own.allSatisfy { $0.data2 == 0 })
            }
        }
        #expect(stand.render().isEmpty && !stand.beginsPanic)
        // The pedal is not down in the next process either.
        #expect(stand.restart() == [[0xB0, 64, 0]])
    }
}
