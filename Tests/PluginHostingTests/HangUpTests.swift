// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An extension in an endless loop, after its host has ended: none of it may be left.

import AudioUnits
import Confinement
import ControlMessages
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Wire

@testable import PluginHosting

@Suite(.timed("kills hosts and units"), .serialized, .timeLimit(.minutes(1))) struct HangUpTests {
    private let format = BlockFormat(sampleRate: 48_000, maximumFrameCount: 128, channelCount: 1)

    /// Greets the extension, and makes its render thread loop endlessly in its first block.
    private func startLoop(_ channel: ControlChannel, _ memory: UnitMemory) throws -> [SharedMemory] {
        let bell = try SharedMemory(name: "bell", byteCount: 4096)
        let input = try SharedMemory(name: "input", byteCount: memory.outputLayout.byteCount)
        try channel.send(
            MessageFrame(
                kind: HostMessage.hello(.own, hostName: "Test", locator: []).kind, serial: 1,
                body: HostMessage.hello(.own, hostName: "Test", locator: []).body))
        _ = try channel.receive(timeoutMilliseconds: 3000)
        let region = memory.formatRegion()
        let bus = [BusFormat(channelCount: 1)]
        let allocate = HostMessage.allocate(
            Allocation(
                sampleRate: 48_000, maximumFrameCount: 128, inputs: bus, outputs: bus, output: memory.outputLayout,
                connections: [InputConnection(layout: memory.outputLayout, firstChannel: 0)], hasSuccessor: false))
        try channel.send(
            MessageFrame(kind: allocate.kind, serial: 2, body: allocate.body),
            descriptors: [memory.regionMemory, memory.doorbellMemory, bell, memory.outputMemory, input].map(\.descriptor))
        let answer = try channel.receive(timeoutMilliseconds: 3000)
        try #require(answer.frame.kind == 68)
        var writer = region.hostToPluginWriter()
        _ = writer.write(RenderEvent.midi(MIDIMessage(0xB0, 4, 127)).wireEvent(at: 0))
        var request = WireRequest()
        request.sequence = 1
        request.inputFrameCount = 128
        request.outputFrameCount = 128
        request.eventCount = 1
        region.request(1).pointee = request
        region.publishedSequence.store(1)
        memory.doorbell.store(1)
        Futex.wake(memory.doorbell.address)
        return [bell, input]
    }

    private func start() throws -> (ControlChannel, ChildProcess) {
        let (own, peer) = try ControlSocket.pair()
        let child = try ChildProcess(
            path: try Build.component("Misbehaver").executablePath, arguments: [],
            environment: ["SWIFT_BACKTRACE": "enable=no"], control: peer)
        return (ControlChannel(own), child)
    }

    @Test(arguments: [false, true]) func anExtensionInAnEndlessLoopEndsWithItsHost(isAskedToDeallocate: Bool) throws {
        let memory = try UnitMemory(
            name: "looping", format: format, inputBusCount: 1, outputBusCount: 1, outputChannelCount: 1)
        let child: ChildProcess
        do {
            let (channel, started) = try start()
            child = started
            let memories = try startLoop(channel, memory)
            Futex.pause(microseconds: 50_000)
            if isAskedToDeallocate {
                // Its main thread now waits for the render thread.
                try channel.send(MessageFrame(kind: HostMessage.deallocate.kind, serial: 3, body: []))
                #expect(throws: ControlChannelError.self) { _ = try channel.receive(timeoutMilliseconds: 100).frame }
            }
            withExtendedLifetime(memories) {}
        }
        #expect(child.wait(milliseconds: 3000) == .exited(code: 0))
    }
}
