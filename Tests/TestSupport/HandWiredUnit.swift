// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host of one unit that does each step of the protocol by itself, with memory of its own. Test thread.

import AudioUnits
import CWireLayout
import ControlMessages
import Glibc
import LinuxSystem
import Wire

/// A unit with one mono bus each way, in blocks of 16 frames, whose host is the test.
package final class HandWiredUnit {
    /// The layout of every audio memory.
    package static let layout = AudioMemoryLayout(slotCount: 2, channelCount: 1, maximumFrameCount: 64)
    private static let frameCount = 16

    /// The doorbells and the input memory of a wiring.
    package struct Wires {
        package let doorbell: SharedMemory
        package let hostDoorbell: SharedMemory
        package let successor: SharedMemory
        package let input: SharedMemory

        /// Makes memory whose input holds `level` in every sample, or takes the successor's doorbell or the input of others.
        package init(level: Float = 0, successor: SharedMemory? = nil, input: SharedMemory? = nil) throws {
            doorbell = try SharedMemory(name: "doorbell", byteCount: WireLimits.pageByteCount)
            hostDoorbell = try SharedMemory(name: "host's doorbell", byteCount: WireLimits.pageByteCount)
            self.successor = try successor ?? SharedMemory(name: "successor's doorbell", byteCount: WireLimits.pageByteCount)
            let filled = try SharedMemory(name: "input", byteCount: HandWiredUnit.layout.byteCount)
            let samples = filled.base.assumingMemoryBound(to: Float.self)
            samples.update(repeating: level, count: filled.byteCount / MemoryLayout<Float>.stride)
            self.input = input ?? filled
        }

        fileprivate func descriptors(hasSuccessor: Bool, isConnected: Bool) throws -> [Int32] {
            var descriptors = [try doorbell.readOnlyDescriptor().release(), dup(hostDoorbell.descriptor)]
            if hasSuccessor { descriptors.append(dup(successor.descriptor)) }
            if isConnected { descriptors.append(try input.readOnlyDescriptor().release()) }
            return descriptors
        }
    }

    package let region: Region
    private let regionMemory: SharedMemory
    package let output: SharedMemory
    private let channel: ControlChannel
    private var serial: UInt32 = 0
    /// What must live as long as the unit.
    private let process: AnyObject?
    /// The newest request that has been published.
    package private(set) var sequence: UInt64 = 0

    /// Takes the host's end of a unit's control channel, and perhaps the unit's process, which ends with the last reference to it.
    package init(_ socket: ControlSocket, of process: AnyObject? = nil) throws {
        self.process = process
        channel = ControlChannel(socket)
        let header = RegionHeader(
            sampleRate: 48_000, maximumFrameCount: 64, slotCount: 2, inputBusCount: 1, outputBusCount: 1, eventCapacity: 64)
        regionMemory = try SharedMemory(name: "region", byteCount: Int(header.byteCount))
        region = Region(unsafeFormatting: regionMemory.base, as: header)
        output = try SharedMemory(name: "output", byteCount: Self.layout.byteCount)
    }

    // MARK: Messages

    /// Sends a message and returns the answer; the descriptors are closed.
    package func ask(_ message: HostMessage, _ descriptors: [Int32] = []) throws -> PluginMessage {
        defer { for descriptor in descriptors { close(descriptor) } }
        serial += 1
        try channel.send(MessageFrame(kind: message.kind, serial: serial, body: message.body), descriptors: descriptors)
        let frame = try channel.receive(timeoutMilliseconds: 5000).frame
        guard frame.serial == serial else { throw TestFailure("an answer to question \(frame.serial)") }
        return try PluginMessage(kind: frame.kind, body: frame.body)
    }

    /// Says hello, and returns the version that the unit chooses.
    package func greet(_ versions: VersionRange = .own) throws -> UInt32 {
        guard case .welcome(let welcome) = try ask(.hello(versions, hostName: "Test", locator: [])) else {
            throw TestFailure("no welcome")
        }
        return welcome.version
    }

    /// Gives the unit resources; its wiring 0 is `wires`, whose input is its inlet.
    package func allocate(_ wires: Wires) throws {
        let bus = [BusFormat(channelCount: 1)]
        let message = HostMessage.allocate(
            Allocation(
                sampleRate: 48_000, maximumFrameCount: 64, inputs: bus, outputs: bus, output: Self.layout,
                connections: [InputConnection(layout: Self.layout, firstChannel: 0)], hasSuccessor: true))
        var descriptors = try wires.descriptors(hasSuccessor: true, isConnected: true)
        descriptors.insert(dup(regionMemory.descriptor), at: 0)
        descriptors.insert(dup(output.descriptor), at: 3)
        let answer = try ask(message, descriptors)
        guard case .allocated = answer else { throw TestFailure("\(answer)") }
    }

    /// The message for a wiring of this number.
    package static func message(_ number: Int, hasSuccessor: Bool = true, isConnected: Bool = true) -> HostMessage {
        .wire(
            Rewiring(
                number: number, connections: [isConnected ? InputConnection(layout: layout, firstChannel: 0) : nil],
                hasSuccessor: hasSuccessor))
    }

    /// Gives the unit a wiring; returns the reason if it refuses.
    package func wire(_ number: Int, _ wires: Wires, hasSuccessor: Bool = true, isConnected: Bool = true) throws -> String? {
        let descriptors = try wires.descriptors(hasSuccessor: hasSuccessor, isConnected: isConnected)
        let message = Self.message(number, hasSuccessor: hasSuccessor, isConnected: isConnected)
        switch try ask(message, descriptors) {
        case .done: return nil
        case .refused(let reason): return reason
        case let answer: throw TestFailure("\(answer)")
        }
    }

    // MARK: Requests

    /// Publishes the next request, and returns its number.
    @discardableResult
    package func publish(wiring: Int, slot: Int, successorRing: UInt32? = nil) -> UInt64 {
        sequence += 1
        var request = WireRequest()
        request.sequence = sequence
        request.sampleTime = Int64(sequence) * Int64(Self.frameCount)
        (request.inputFrameCount, request.outputFrameCount) = (UInt32(Self.frameCount), UInt32(Self.frameCount))
        request.outputSlot = UInt32(sequence % 2)
        request.inputSlots.0 = UInt8(slot)
        request.wiring = UInt32(wiring)
        if let successorRing {
            request.flags = UInt32(CWireLayout_requestRingSuccessor)
            request.successorRing = successorRing
        }
        region.request(sequence).pointee = request
        region.publishedSequence.store(sequence)
        return sequence
    }

    /// Grants the newest request, or another one, at a doorbell.
    package func grant(at memory: SharedMemory, _ number: UInt64? = nil) {
        store(number ?? sequence, in: memory)
        Futex.wake(SharedFutexWord(unsafeAddress: memory.base).address)
    }

    /// Stores a number in a doorbell, without waking its sleeper.
    package func store(_ number: UInt64, in memory: SharedMemory) {
        SharedFutexWord(unsafeAddress: memory.base).store(UInt32(truncatingIfNeeded: number))
    }

    /// Waits until the newest request is answered; false if it is not, in so many milliseconds.
    package func isAnswered(milliseconds: UInt64 = 5000) -> Bool {
        let deadline = MonotonicClock.now() + milliseconds * 1_000_000
        while region.completedSequence.load() < sequence {
            if MonotonicClock.now() > deadline { return false }
            Futex.pause(microseconds: 100)
        }
        return true
    }

    /// The status of the reply to a request.
    package func status(_ number: UInt64? = nil) -> UInt32 { region.reply(number ?? sequence).pointee.status }

    /// The sample that the whole block of a request holds; nil if its samples differ.
    package func level(_ number: UInt64? = nil) -> Float? {
        let offset = Self.layout.sampleOffset(slot: Int((number ?? sequence) % 2), channel: 0)
        let block = output.base.assumingMemoryBound(to: Float.self) + offset
        return (0..<Self.frameCount).allSatisfy { block[$0] == block[0] } ? block[0] : nil
    }

    /// Publishes a request, grants it at a doorbell, and returns the level of its block; nil without an answer.
    package func play(wiring: Int, slot: Int, at doorbell: SharedMemory) -> Float? {
        publish(wiring: wiring, slot: slot)
        grant(at: doorbell)
        return isAnswered() && status() == 0 ? level() : nil
    }

    /// Changes over to a wiring as the protocol has it, and returns the level of the first block.
    package func changeOver(to number: Int, _ wires: Wires, from former: Wires, slot: Int = 64) -> Float? {
        store(sequence + 1, in: wires.doorbell)
        return play(wiring: number, slot: slot, at: former.doorbell)
    }

    /// What a doorbell holds.
    package static func value(of memory: SharedMemory) -> UInt32 { SharedFutexWord(unsafeAddress: memory.base).load() }
}
