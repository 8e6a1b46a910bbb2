// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The bytes of the worked example in Protocol/README.md are the bytes that the code makes. Test thread.

import AudioUnits
import ControlMessages
import FoundationEssentials
import Testing
import Wire

@Suite struct WorkedExampleTests {
    /// The bytes of each code block below "A worked example", without addresses, comments and ellipses.
    private static func blocks(file: String = #filePath) throws -> [[UInt8]] {
        let root = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let text = try String(contentsOf: URL(fileURLWithPath: "\(root)/Protocol/README.md"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("## 17") }
        var blocks: [[UInt8]] = []
        var isInside = false
        for line in lines {
            if line.hasPrefix("```") {
                isInside.toggle()
                if isInside { blocks.append([]) }
            } else if isInside {
                blocks[blocks.count - 1] += bytes(of: String(line))
            }
        }
        return blocks
    }

    /// Pairs of hexadecimal digits, up to the comment that three blanks set off.
    private static func bytes(of line: String) -> [UInt8] {
        var words = line.drop { $0 == " " }.split(separator: " ", omittingEmptySubsequences: false)[...]
        if words.first?.hasPrefix("0x") == true { words = words.dropFirst() }
        var bytes: [UInt8] = []
        var blanks = 0
        for word in words {
            blanks = word.isEmpty ? blanks + 1 : 0
            if blanks == 2 && !bytes.isEmpty { break }
            if word.count == 2, let byte = UInt8(word, radix: 16) { bytes.append(byte) }
        }
        return bytes
    }

    @Test func theHello() throws {
        let hello = HostMessage.hello(VersionRange(minimum: 1, maximum: 1), hostName: "Bulkhead", locator: [])
        #expect(try Self.blocks()[0] == MessageFrame(kind: hello.kind, serial: 1, body: hello.body).bytes)
    }

    @Test func theWelcome() throws {
        let gain = UnitDescription(
            ComponentDescription(.effect, "gain", "blkh"), name: "Gain", manufacturerName: "Bulkhead",
            version: UnitVersion(1, 0, 0), tags: ["Utility"], flags: .consentsToInProcess)
        let tree = ParameterTree(
            Parameter("gain", name: "Gain", address: 0, range: -96...24, default: 0, unit: .decibels))
        let welcome = PluginMessage.welcome(
            Welcome(version: 1, description: gain, parameters: tree, factoryPresets: []))
        let expected = MessageFrame(kind: welcome.kind, serial: 1, body: welcome.body).bytes
        #expect(try Self.blocks()[1] == expected)
    }

    @Test func theRegionHeader() throws {
        let header = RegionHeader(
            sampleRate: 48000, maximumFrameCount: 256, slotCount: 2, inputBusCount: 1, outputBusCount: 1,
            eventCapacity: 1024)
        #expect(try Self.blocks()[2] == withUnsafeBytes(of: header) { Array($0) })
    }

    @Test func theEventOfTheFirstCycle() throws {
        let event = WireEvent(parameter: 0, value: -6, sampleTime: 100, rampFrameCount: 10)
        #expect(try Array(Self.blocks()[3].prefix(32)) == withUnsafeBytes(of: event) { Array($0) })
    }

    @Test func theReplyOfTheFirstCycle() throws {
        var reply = WireReply()
        reply.sequence = 1
        reply.outputFrameCount = 256
        reply.inputFrameCount = 256
        #expect(try Array(Self.blocks()[4].prefix(32)) == withUnsafeBytes(of: reply) { Array($0.prefix(32)) })
    }
}
