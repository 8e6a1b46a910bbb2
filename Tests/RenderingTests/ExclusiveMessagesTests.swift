// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The system-exclusive messages that a port keeps, and those that it does not. Test thread.

import Synchronization
import Testing

@testable import Rendering

@Suite struct ExclusiveMessagesTests {
    private let port = MessagePort()

    private func keep(_ messages: [[UInt8]], cable: UInt8 = 0) {
        port.begin(with: messages.map { StateMessage(cable: cable, bytes: $0) })
    }

    private final class Flag: Sendable { let value = Atomic<Bool>(false) }

    private var kept: [[UInt8]] { port.stateMessages.map(\.bytes) }

    private func volume(_ value: UInt8) -> [UInt8] { [0xF0, 0x7F, 0x7F, 4, 1, 0, value, 0xF7] }

    /// The tuning of one key of a program.
    private func key(_ key: UInt8, _ value: UInt8, program: UInt8 = 0) -> [UInt8] {
        [0xF0, 0x7F, 0x7F, 8, 2, program, 1, key, key, value, 0, 0xF7]
    }

    private func octave(_ value: UInt8, channels: UInt8 = 127) -> [UInt8] {
        [0xF0, 0x7E, 0x7F, 8, 8, 3, 127, channels] + Array(repeating: value, count: 12) + [0xF7]
    }

    @Test func aLaterMessageReplacesTheOneThatSetTheSame() {
        keep([volume(9), key(60, 1), key(61, 2), octave(3), octave(4, channels: 1), volume(8), key(60, 5), octave(6)])
        #expect(kept == [key(61, 2), octave(4, channels: 1), volume(8), key(60, 5), octave(6)])
    }

    @Test func parametersOfGSAndXGAreToldByTheirAddresses() {
        let (gs, xg): ([UInt8], [UInt8]) = ([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40], [0xF0, 0x43, 0x10, 0x4C])
        let drums = [0x11, 0x15].map { gs + [$0, 0x15, 1, 0x19, 0xF7] as [UInt8] }
        keep(drums + [xg + [8, 0, 7, 1, 0xF7], gs + [0x11, 0x15, 0, 0x1A, 0xF7], xg + [8, 0, 7, 0, 0xF7]])
        #expect(kept == [drums[1], gs + [0x11, 0x15, 0, 0x1A, 0xF7], xg + [8, 0, 7, 0, 0xF7]])
    }

    @Test func aMessageOfAnUnknownKindReplacesItsLikeAlone() {
        let (one, two): ([UInt8], [UInt8]) = ([0xF0, 0x7D, 1, 2, 3, 0xF7], [0xF0, 0x7D, 1, 2, 4, 0xF7])
        keep([one, two, one])
        #expect(kept == [two, one])
    }

    @Test(
        arguments: [
            // The time, a recorder's start, an identity, a request for a tuning, a sample, and requests of GS and XG.
            [0xF0, 0x7F, 0x7F, 1, 1, 0, 0, 0, 0, 0xF7], [0xF0, 0x7F, 0x7F, 6, 2, 0xF7], [0xF0, 0x7E, 0x7F, 6, 1, 0xF7],
            [0xF0, 0x7E, 0x7F, 8, 0, 3, 0xF7], [0xF0, 0x7E, 0, 2, 5, 1, 2, 0xF7],
            [0xF0, 0x41, 0x10, 0x42, 0x11, 0x40, 0, 4, 0, 0, 1, 0x3B, 0xF7], [0xF0, 0x43, 0x30, 0x4C, 0, 0, 4, 0xF7],
        ] as [[UInt8]])
    func aMessageThatSetsNothingIsNotKept(message: [UInt8]) {
        keep([volume(9), message])
        #expect(kept == [volume(9)])
    }

    @Test func aResetReplacesAllOfItsCable() {
        let reset: [UInt8] = [0xF0, 0x7E, 0x7F, 9, 1, 0xF7]
        keep([volume(9), [0xB0, 7, 40]], cable: 1)
        keep([volume(8), key(60, 1), [0xB0, 7, 50], reset, key(60, 2)])
        #expect(port.stateMessages.map(\.cable) == [1, 0, 0, 1] && kept == [volume(9), reset, key(60, 2), [0xB0, 7, 40]])
    }

    @Test func aMessageOfEachLengthIsKeptByteForByte() {
        let messages = (6...40).map { count in [0xF0, 0x7D] + (0..<(count - 3)).map { UInt8($0 + count) } + [0xF7] as [UInt8] }
        keep(messages)
        #expect(kept == messages)
    }

    @Test func theSameMessageOnceMoreIsNoChange() {
        keep([volume(9), volume(8)])
        let revision = port.stateRevision
        keep([volume(8)])
        #expect(port.stateRevision == revision)
        keep([volume(7)])
        #expect(port.stateRevision != revision)
    }

    @Test func whatFindsNoRoomIsCountedAndTheRestIsKept() {
        let long: [UInt8] = [0xF0, 0x7D] + Array(repeating: 1, count: StateMessage.longest - 3) + [0xF7]
        keep([volume(9), long])
        #expect(kept == [volume(9), long] && port.unkeptCount == 0)
        keep([long.dropLast() + [1, 0xF7]])
        #expect(kept == [volume(9), long] && port.unkeptCount == 1)
        keep((2..<5).map { value in [0xF0, 0x7D] + Array(repeating: UInt8(value), count: StateMessage.longest - 3) + [0xF7] })
        #expect(kept.count == 4 && port.unkeptCount == 2)
        keep([key(60, 1)])
        #expect(kept.last == key(60, 1) && port.unkeptCount == 2)
    }

    @Test func aLongMessageThatSetsNothingIsNoLoss() {
        keep([[0xF0, 0x7E, 0, 1, 1] + Array(repeating: 1, count: StateMessage.longest) + [0xF7]])
        #expect(kept.isEmpty && port.unkeptCount == 0)
    }

    /// The width of a value is the sender's; it may be wider than the message.
    @Test(
        arguments: [
            [0xF0, 0x7F, 0x7F, 4, 5, 1, 1, 0x7F, 0, 0xF7], [0xF0, 0x7F, 0x7F, 4, 5, 1, 1, 0xF7], [0xF0, 0x7F, 0x7F, 4, 5, 0xF7],
        ] as [[UInt8]])
    func aWidthBeyondTheMessageReplacesNothing(message: [UInt8]) {
        let others = (0..<3).map { value in [0xF0, 0x7D] + Array(repeating: UInt8(value), count: message.count - 3) + [0xF7] }
        keep(others + [message])
        #expect(kept == others + [message])
        // A song with it, too.
        let packets = SequencedMessage.packets(of: message, beat: 0)
        #expect(MessageList.exclusiveStates(of: packets).count == 1)
    }

    @Test func aParameterOfAnEffectIsReplacedByItsOwn() {
        func time(_ parameter: UInt8, _ value: UInt8) -> [UInt8] {
            [0xF0, 0x7F, 0x7F, 4, 5, 1, 1, 1, 1, 1, parameter, value, 0xF7]
        }
        keep([time(0, 1), time(1, 5), time(0, 2)])
        #expect(kept == [time(1, 5), time(0, 2)])
    }

    /// They have the form of resets, but for the command.
    @Test(
        arguments: [
            [0xF0, 0x43, 0x20, 0x4C, 0, 0, 0x7E, 0, 0xF7], [0xF0, 0x41, 0x10, 0x42, 0x11, 0x40, 0, 0x7F, 0, 0x41, 0xF7],
        ] as [[UInt8]])
    func aRequestIsNoReset(message: [UInt8]) {
        keep([volume(9), [0xB0, 7, 40], message])
        #expect(kept == [volume(9), [0xB0, 7, 40]])
    }

    @Test func messagesOfTwoCablesDoNotMix() {
        port.openControls()
        let core = port.core
        func send(_ bytes: [UInt8], _ cable: UInt8) { for byte in bytes { core.pointee.keep(exclusive: byte, cable: cable) } }
        send([0xF0, 0x7D, 1], 0)
        send([0xF0, 0x7D, 2], 1)
        send([3, 4, 0xF7], 0)
        send([5, 6, 0xF7], 1)
        #expect(port.stateMessages == [StateMessage(cable: 1, bytes: [0xF0, 0x7D, 2, 5, 6, 0xF7])] && port.unkeptCount == 1)
    }

    @Test func aMessageWithoutAnEndOrABeginningIsNotKept() {
        keep([[0xF0, 0x7F, 0x7F, 4, 1], volume(9), [0xF7]])
        #expect(kept == [volume(9)])
    }

    /// Ten thousand changes of tunings, read meanwhile: whoever reads sees whole messages.
    @Test func whoReadsWhileMessagesComeSeesWholeOnes() async {
        let (port, isDone) = (port, Flag())
        port.openControls()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<10_000 {
                    let value = UInt8(round & 127)
                    let message = [0xF0, 0x7D, UInt8(round & 3), value] + Array(repeating: value, count: 3 + round % 50) + [0xF7]
                    port.begin(with: [StateMessage(cable: 0, bytes: message)])
                    if round % 100 == 0 { port.begin(with: [StateMessage(cable: 0, bytes: [0xF0, 0x7E, 0x7F, 9, 1, 0xF7])]) }
                }
                isDone.value.store(true, ordering: .releasing)
            }
            group.addTask {
                while !isDone.value.load(ordering: .acquiring) {
                    for message in port.stateMessages where message.bytes[1] == 0x7D {
                        #expect(message.bytes.last == 0xF7 && Set(message.bytes[3...].dropLast()).count == 1)
                    }
                }
            }
        }
        #expect(!port.stateMessages.isEmpty)
    }
}
