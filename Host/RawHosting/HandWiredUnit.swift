// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host of one unit that makes each step of the protocol itself, with its own memory. One control thread.

import AudioUnits
import CWireLayout
import ControlMessages
import Glibc
import LinuxSystem
import Wire

/// `[control]` A unit whose messages, requests and rings are made by hand, without an engine and a supervisor.
///
/// Only the first input bus is ever connected.
package final class HandWiredUnit {
    /// The layout of every audio memory of a unit with one mono bus in each direction.
    package static let layout = HandWiredShape().inputLayout

    /// A failure between the two sides.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        /// It sent another answer than the message requires.
        case unexpected(String)
        /// It refused, with this reason.
        case refused(String)

        /// The unit's reaction, as a sentence without a full stop.
        package var description: String {
            switch self {
            case .unexpected(let what): "It answered with \(what)"
            case .refused(let reason): "It refused: \(reason)"
            }
        }
    }

    /// The doorbells and the input memory of a wiring.
    package struct Wires {
        package let doorbell: SharedMemory
        package let hostDoorbell: SharedMemory
        package let successor: SharedMemory
        package let input: SharedMemory

        /// Makes memory whose input holds `level` in every sample; it can also use the successor's doorbell, or another input.
        package init(
            level: Float = 0, successor: SharedMemory? = nil, input: SharedMemory? = nil,
            layout: AudioMemoryLayout = HandWiredUnit.layout
        ) throws(SystemError) {
            doorbell = try SharedMemory(name: "doorbell", byteCount: WireLimits.pageByteCount)
            hostDoorbell = try SharedMemory(name: "host's doorbell", byteCount: WireLimits.pageByteCount)
            if let successor {
                self.successor = successor
            } else {
                self.successor = try SharedMemory(name: "successor's doorbell", byteCount: WireLimits.pageByteCount)
            }
            let filled = try SharedMemory(name: "input", byteCount: layout.byteCount)
            let samples = filled.base.assumingMemoryBound(to: Float.self)
            samples.update(repeating: level, count: filled.byteCount / MemoryLayout<Float>.stride)
            self.input = input ?? filled
        }

        fileprivate func descriptors(hasSuccessor: Bool, isConnected: Bool) throws(SystemError) -> [Int32] {
            var descriptors = [try doorbell.readOnlyDescriptor().release(), dup(hostDoorbell.descriptor)]
            if hasSuccessor { descriptors.append(dup(successor.descriptor)) }
            if isConnected { descriptors.append(try input.readOnlyDescriptor().release()) }
            return descriptors
        }
    }

    /// The formats of the unit's buses, and the length of its blocks.
    package let shape: HandWiredShape
    /// The shared memory beside the audio.
    package let region: Region
    private let regionMemory: SharedMemory
    /// The unit's output memory.
    package let output: SharedMemory
    private let channel: ControlChannel
    private var serial: UInt32 = 0
    /// An object that must live as long as the unit.
    private let process: AnyObject?
    /// The newest request that has been published.
    package private(set) var sequence: UInt64 = 0

    /// Takes the host's end of a unit's control channel, and optionally the unit's process, which ends with its last reference.
    package init(
        _ channel: ControlChannel, of process: AnyObject? = nil, shape: HandWiredShape = HandWiredShape()
    ) throws(SystemError) {
        self.process = process
        self.shape = shape
        self.channel = channel
        let header = RegionHeader(
            sampleRate: shape.sampleRate, maximumFrameCount: shape.maximumFrameCount, slotCount: HandWiredShape.slotCount,
            inputBusCount: shape.inputs.count, outputBusCount: shape.outputs.count, eventCapacity: shape.eventCapacity)
        regionMemory = try SharedMemory(name: "region", byteCount: Int(header.byteCount))
        region = Region(unsafeFormatting: regionMemory.base, as: header)
        output = try SharedMemory(name: "output", byteCount: shape.outputLayout.byteCount)
    }

    /// Takes the host's end of a unit's control socket.
    package convenience init(_ socket: ControlSocket, of process: AnyObject? = nil) throws(SystemError) {
        try self.init(ControlChannel(socket), of: process)
    }

    // MARK: Messages

    /// Sends a message and returns the answer; the descriptors are closed.
    package func ask(_ message: HostMessage, _ descriptors: [Int32] = []) throws -> PluginMessage {
        defer { for descriptor in descriptors { close(descriptor) } }
        serial += 1
        try channel.send(MessageFrame(kind: message.kind, serial: serial, body: message.body), descriptors: descriptors)
        let frame = try channel.receive(timeoutMilliseconds: 5000).frame
        guard frame.serial == serial else { throw Failure.unexpected("the serial \(frame.serial) to question \(serial)") }
        return try PluginMessage(kind: frame.kind, body: frame.body)
    }

    /// Closes the host's end of the control channel, as a leaving host does.
    package func hangUp() { channel.socket.hangUp() }

    /// Sends `hello`, and returns the version that the unit chooses.
    package func greet(_ versions: VersionRange = .own) throws -> UInt32 {
        guard case .welcome(let welcome) = try ask(.hello(versions, hostName: "Test", locator: [])) else {
            throw Failure.unexpected("no welcome")
        }
        return welcome.version
    }

    /// Gives the unit resources; its wiring 0 is `wires`, whose input is its inlet.
    ///
    /// Returns the id of the render thread in the unit's process.
    @discardableResult
    package func allocate(_ wires: Wires) throws -> Int32 {
        switch try ask(.allocate(shape.allocation), try descriptors(for: wires)) {
        case .allocated(_, _, let renderThread): return renderThread
        case .refused(let reason): throw Failure.refused(reason)
        case let answer: throw Failure.unexpected("\(answer)")
        }
    }

    /// The descriptors of `allocate`, which the caller closes.
    package func descriptors(for wires: Wires) throws(SystemError) -> [Int32] {
        var descriptors = try wires.descriptors(hasSuccessor: true, isConnected: shape.isConnected)
        descriptors.insert(dup(regionMemory.descriptor), at: 0)
        descriptors.insert(dup(output.descriptor), at: 3)
        return descriptors
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
        let descriptors = try wires.descriptors(hasSuccessor: hasSuccessor, isConnected: isConnected && shape.isConnected)
        var connections = shape.allocation.connections
        if !isConnected, !connections.isEmpty { connections[0] = nil }
        let message = HostMessage.wire(Rewiring(number: number, connections: connections, hasSuccessor: hasSuccessor))
        switch try ask(message, descriptors) {
        case .done: return nil
        case .refused(let reason): return reason
        case let answer: throw Failure.unexpected("\(answer)")
        }
    }

    // MARK: Requests

    /// Publishes the next request, and returns its number.
    @discardableResult
    package func publish(wiring: Int, slot: Int, successorRing: UInt32? = nil) -> UInt64 {
        publish { request in
            request.inputSlots.0 = UInt8(slot)
            request.wiring = UInt32(wiring)
            guard let successorRing else { return }
            request.flags = UInt32(CWireLayout_requestRingSuccessor)
            request.successorRing = successorRing
        }
    }

    /// Publishes the next request with the changes of `change`, and returns its number.
    ///
    /// By default it requests a block of the usual length, with the sample time that follows from its number.
    @discardableResult
    package func publish(_ change: (inout WireRequest) -> Void) -> UInt64 {
        sequence += 1
        var request = WireRequest()
        request.sequence = sequence
        request.sampleTime = Int64(sequence) * Int64(shape.frameCount)
        (request.inputFrameCount, request.outputFrameCount) = (UInt32(shape.frameCount), UInt32(shape.frameCount))
        request.outputSlot = UInt32(sequence % UInt64(HandWiredShape.slotCount))
        change(&request)
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

    /// Waits up to `milliseconds` for the reply to the newest request; false without a reply.
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

    /// The common sample of a request's block; nil if its samples differ.
    package func level(_ number: UInt64? = nil) -> Float? {
        let block = channel(0, of: number)
        return (0..<shape.frameCount).allSatisfy { block[$0] == block[0] } ? block[0] : nil
    }

    /// A channel of a request's block, by default of the newest request.
    package func channel(_ channel: Int, of number: UInt64? = nil) -> UnsafeMutablePointer<Float> {
        let slot = Int((number ?? sequence) % UInt64(HandWiredShape.slotCount))
        return output.base.assumingMemoryBound(to: Float.self) + shape.outputLayout.sampleOffset(slot: slot, channel: channel)
    }

    /// Publishes a request, grants it at a doorbell, and returns the level of its block; nil without an answer.
    package func play(wiring: Int, slot: Int, at doorbell: SharedMemory) -> Float? {
        publish(wiring: wiring, slot: slot)
        grant(at: doorbell)
        return isAnswered() && status() == 0 ? level() : nil
    }

    /// Switches to a wiring by the rules of the protocol, and returns the level of the first block.
    package func changeOver(to number: Int, _ wires: Wires, from former: Wires, slot: Int = 64) -> Float? {
        store(sequence + 1, in: wires.doorbell)
        return play(wiring: number, slot: slot, at: former.doorbell)
    }

    /// The value of a doorbell.
    package static func value(of memory: SharedMemory) -> UInt32 { SharedFutexWord(unsafeAddress: memory.base).load() }
}
