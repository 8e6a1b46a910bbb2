// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every message: there and back, cut short, lengthened, and with flipped bits. Test thread.

import AudioUnits
import ControlMessages
import TestSupport
import Testing
import Wire

@Suite struct MessageTests {
    @Test func everyMessageOfTheHostArrivesAsItWasSent() throws {
        var seed = Seed()
        for _ in 0..<300 {
            for message in seed.hostMessages() {
                #expect(try HostMessage(kind: message.kind, body: message.body) == message)
            }
        }
    }

    @Test func everyMessageOfThePluginArrivesAsItWasSent() throws {
        var seed = Seed()
        for _ in 0..<300 {
            for message in seed.pluginMessages() {
                #expect(try PluginMessage(kind: message.kind, body: message.body) == message)
            }
        }
    }

    @Test func aMessageCutShortAtAnyByteIsRefused() {
        var seed = Seed()
        for _ in 0..<6 {
            for message in seed.hostMessages() {
                for count in 0..<message.body.count where count != Self.allowedCut(message) {
                    #expect(throws: WireViolation.self) {
                        try HostMessage(kind: message.kind, body: Array(message.body.prefix(count)))
                    }
                }
            }
            for message in seed.pluginMessages() {
                for count in 0..<message.body.count {
                    #expect(throws: WireViolation.self) {
                        try PluginMessage(kind: message.kind, body: Array(message.body.prefix(count)))
                    }
                }
            }
        }
    }

    /// An allocation is whole without the speakers, too.
    private static func allowedCut(_ message: HostMessage) -> Int? {
        guard case .allocate(let allocation) = message else { return nil }
        return HostMessage.allocate(allocation.withoutSpeakers).body.count
    }

    @Test func bytesLeftOverAreRefusedSaveInTheHello() throws {
        var seed = Seed()
        for message in seed.hostMessages() {
            if case .hello = message {
                #expect(try HostMessage(kind: message.kind, body: message.body + [1, 2, 3]) == message)
            } else {
                #expect(throws: WireViolation.self) { try HostMessage(kind: message.kind, body: message.body + [0]) }
            }
        }
        for message in seed.pluginMessages() {
            #expect(throws: WireViolation.self) { try PluginMessage(kind: message.kind, body: message.body + [0]) }
        }
    }

    /// Damaged bytes are refused, or read as a whole message that a sender could have meant.
    @Test func bitsTurnedOverNeverTrapAndNeverMakeHalfAMessage() throws {
        var seed = Seed()
        var accepted = 0
        for _ in 0..<40 {
            for message in seed.hostMessages() where !message.body.isEmpty {
                let damaged = seed.damage(message.body)
                guard let read = try? HostMessage(kind: message.kind, body: damaged) else { continue }
                accepted += 1
                #expect(try HostMessage(kind: read.kind, body: read.body).body == read.body)
            }
            for message in seed.pluginMessages() where !message.body.isEmpty {
                for _ in 0..<20 {
                    let damaged = seed.damage(message.body)
                    guard let read = try? PluginMessage(kind: message.kind, body: damaged) else { continue }
                    accepted += 1
                    #expect(try PluginMessage(kind: read.kind, body: read.body).body == read.body)
                    if case .welcome(let welcome) = read { expectPossible(welcome) }
                }
            }
        }
        #expect(accepted > 0, "the damage is always found; is the test too rough?")
    }

    private func expectPossible(_ welcome: Welcome) {
        #expect(throws: Never.self) { try welcome.parameters.validate() }
        for bus in welcome.description.inputs + welcome.description.outputs {
            #expect((0...64).contains(bus.defaultFormat.channelCount))
            #expect(bus.supportedChannelCounts.allSatisfy { (0...64).contains($0) })
        }
        #expect(welcome.description.inputs.count <= 8 && welcome.description.outputs.count <= 8)
    }

    @Test func pureNoiseNeverTraps() {
        var seed = Seed()
        for _ in 0..<20_000 {
            let noise = seed.bytes(seed.number(0...200))
            _ = try? HostMessage(kind: UInt16(seed.number(0...14)), body: noise)
            _ = try? PluginMessage(kind: UInt16(seed.number(64...71)), body: noise)
            _ = try? MessageFrame(noise)
            _ = try? FullState(encoded: noise)
        }
    }

    @Test func unknownKindsAreRefused() {
        for kind in [0, 10, 64, 71, 65535] as [UInt16] {
            #expect(throws: WireViolation.self) { try HostMessage(kind: kind, body: []) }
            #expect(throws: WireViolation.self) { try PluginMessage(kind: kind, body: []) }
        }
        #expect(throws: WireViolation.self) { try HostMessage(kind: PluginMessage.done.kind, body: []) }
        #expect(throws: WireViolation.self) { try PluginMessage(kind: HostMessage.saveState.kind, body: []) }
    }

    // The parameters to set: a count of four thousand million, and bytes for one.
    @Test func aCountThatNoBodyCouldFillReservesNoMemory() throws {
        var seed = Seed()
        let before = try Self.peakKilobytes
        for message in seed.hostMessages() {
            for body in Self.withHugeCounts(message.body) { _ = try? HostMessage(kind: message.kind, body: body) }
        }
        for message in seed.pluginMessages() {
            for body in Self.withHugeCounts(message.body) { _ = try? PluginMessage(kind: message.kind, body: body) }
        }
        #expect(try Self.peakKilobytes - before < 1 << 20)
        let settings: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF] + seed.bytes(16)
        #expect(throws: WireViolation.self) { try HostMessage(kind: 4, body: settings) }
    }

    @Test func memoryThatIsReservedAndFreedAgainIsMeasured() throws {
        let before = try Self.peakKilobytes
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 32, alignment: 16)
        memory.deallocate()
        #expect(try Self.peakKilobytes - before >= 1 << 20)
    }

    /// The bytes with the largest count in the place of any four of them.
    private static func withHugeCounts(_ bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.count >= 4 else { return [] }
        return (0...bytes.count - 4).map { bytes[..<$0] + [0xFF, 0xFF, 0xFF, 0xFF] + bytes[($0 + 4)...] }
    }

    /// The most address space that this process has ever had.
    private static var peakKilobytes: Int {
        get throws {
            let lines = try #require(Folder.text(of: "/proc/self/status")).split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("VmPeak:") })
            return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) })
        }
    }

    @Test func equalStatesAreEqualBytes() throws {
        var seed = Seed()
        for _ in 0..<100 {
            let state = seed.state()
            var other = state
            other.values = Dictionary(uniqueKeysWithValues: state.values.shuffled(using: &seed))
            #expect(state.encoded == other.encoded)
            #expect(try FullState(encoded: state.encoded) == state)
        }
    }

    @Test func aStateOfAnotherEncodingIsRefused() {
        var seed = Seed()
        var bytes = seed.state().encoded
        bytes[0] = 3
        #expect(throws: WireViolation.self) { try FullState(encoded: bytes) }
    }

    @Test func aStateOfTheFirstEncodingIsStillRead() throws {
        var writer = PayloadWriter()
        writer.write(UInt32(1))
        for code in ["aufx", "gain", "blkh"] as [FourCharCode] { writer.write(code.rawValue) }
        writer.write(UnitVersion(1, 0, 0).rawValue)
        writer.write(["gain"]) { writer, keyPath in
            writer.write(keyPath)
            writer.write(-6.0)
        }
        writer.write([1, 2, 3] as [UInt8])
        let state = try FullState(encoded: writer.bytes)
        #expect(state.values == ["gain": -6] && state.custom == [1, 2, 3])
        #expect(state.classicIdentifier == nil && state.texts.isEmpty)
    }
}

extension Seed {
    /// Flips one to three bits.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var damaged = bytes
        for _ in 0..<number(1...3) { damaged[number(0...bytes.count - 1)] ^= 1 << UInt8(number(0...7)) }
        return damaged
    }

    /// Its key paths would repeat the group's identifier for each parameter.
    @Test func aTreeThatWouldFillTheMemoryIsNoTree() throws {
        func parameters(_ count: Int) -> [ParameterNode] {
            (0..<count).map { .parameter(Parameter("\($0)", name: "", address: UInt64($0), range: 0...1, default: 0)) }
        }
        func group(_ identifier: String, _ children: [ParameterNode]) -> ParameterNode {
            .group(ParameterGroup(identifier, name: "", children))
        }
        func isRead(_ children: [ParameterNode]) -> Bool {
            let description = UnitDescription(
                ComponentDescription("aufx:fake:test")!, name: "", manufacturerName: "", version: UnitVersion(1, 0, 0))
            let welcome = PluginMessage.welcome(
                Welcome(version: 1, description: description, parameters: ParameterTree(children), factoryPresets: []))
            return (try? PluginMessage(kind: welcome.kind, body: welcome.body)) != nil
        }
        #expect(isRead([group(String(repeating: "g", count: 128), parameters(100))]))
        #expect(!isRead([group(String(repeating: "g", count: 129), parameters(100))]))
        #expect(isRead(parameters(ParameterTree.maximumParameterCount)))
        #expect(!isRead(parameters(ParameterTree.maximumParameterCount + 1)))
        #expect(!isRead((0...ParameterTree.maximumNodeCount).map { group("\($0)", []) }))
    }
}
