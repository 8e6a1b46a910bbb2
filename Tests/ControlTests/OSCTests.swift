// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// OSC without a host: bytes, bundles, addresses, and bytes that mean harm. Test thread.

import Foundation
import OpenSoundControl
import TestSupport
import Testing

@testable import Control

@Suite struct OSCTests {
    /// As the standard's examples have it.
    private static let frequency: [UInt8] =
        Array("/oscillator/4/frequency\0,f\0\0".utf8) + [0x43, 0xDC, 0, 0]

    @Test func aMessageIsReadAndWrittenAsTheStandardHasIt() throws {
        let message = OSCMessage("/oscillator/4/frequency", .float(440))
        #expect(try OSCMessage(Self.frequency) == message)
        #expect(message.bytes == Self.frequency)
        let all = OSCMessage(
            "/a", .integer(-5), .integer(1 << 40), .float(0.5), .double(.pi), .text("Vers Ä"), .flag(true), .flag(false), .text(""))
        #expect(try OSCMessage(all.bytes) == all)
    }

    @Test func bundlesKeepTheirOrderAndTheirTimes() throws {
        let (first, second) = (OSCMessage("/a", .integer(1)), OSCMessage("/b", .text("x")))
        let time = OSCTime.after(1_700_000_000_500_000_000)
        let inner = OSCPacket.bundle([second.bytes], at: .immediate)
        let packet = try OSCPacket(OSCPacket.bundle([first.bytes, inner, first.bytes], at: time))
        #expect(packet.messages.map(\.message) == [first, second, first])
        // What is due at once in a later bundle is due with it.
        #expect(packet.messages.allSatisfy { $0.time == time })
        #expect(time.nanoseconds(after: 1_700_000_000_000_000_000) == 500_000_000)
        #expect(time.nanoseconds(after: 1_800_000_000_000_000_000) == 0 && OSCTime.immediate.nanoseconds(after: 0) == 0)
        #expect(OSCTime(bits: .max).nanoseconds(after: 0) > 0)
        #expect(try OSCPacket(OSCPacket.bundle([], at: .immediate)).messages.isEmpty)
    }

    @Test func whatIsTooMuchIsRefused() throws {
        let message = OSCMessage("/a").bytes
        var deep = message
        for _ in 0..<OSCPacket.mostDepth { deep = OSCPacket.bundle([deep], at: .immediate) }
        #expect(try OSCPacket(deep).messages.count == 1)
        #expect(throws: OSCDefect.self) { try OSCPacket(OSCPacket.bundle([deep], at: .immediate)) }
        let many = Array(repeating: message, count: OSCPacket.mostMessages)
        #expect(try OSCPacket(OSCPacket.bundle(many, at: .immediate)).messages.count == many.count)
        #expect(throws: OSCDefect.self) { try OSCPacket(OSCPacket.bundle(many + [message], at: .immediate)) }
        #expect(throws: OSCDefect.self) { try OSCPacket([UInt8](repeating: 0x2F, count: OSCPacket.mostBytes + 4)) }
        // The address alone is a message without type tags.
        for cut in 1..<Self.frequency.count where cut != 24 {
            #expect(throws: OSCDefect.self) { try OSCPacket(Array(Self.frequency.prefix(cut))) }
        }
        #expect(throws: OSCDefect.self) { try OSCPacket([]) }
        // Not ASCII: a mark of accent behind the slash, and a space.
        #expect(throws: OSCDefect.self) { try OSCPacket([0x2F, 0xCC, 0x9C, 0x75, 0, 0, 0, 0, 0x2C, 0, 0, 0]) }
        #expect(throws: OSCDefect.self) { try OSCPacket(Array("/a b\0\0\0\0,\0\0\0".utf8)) }
    }

    @Test func aPatternMatchesByTheRulesOfTheStandard() throws {
        for (pattern, yes, no) in [
            ("/*/mix", ["/Reverb/mix", "/a/mix"], ["/Reverb/gain", "/mix", "/a/b/mix"]),
            ("/Gain?/gain", ["/Gain1/gain"], ["/Gain/gain", "/Gain12/gain"]),
            ("/Gain[1-3]/gain", ["/Gain2/gain"], ["/Gain4/gain", "/Gain/gain"]),
            ("/Gain[!1-3]/gain", ["/Gain4/gain"], ["/Gain2/gain", "/Gain/gain"]),
            ("/{Reverb,Delay}/m*x", ["/Reverb/mix", "/Delay/mx"], ["/Filter/mix", "/Reverb/mixer"]),
            ("/*a*b*/*", ["/xaxbx/", "/ab/c"], ["/ba/c"]),
        ] {
            for address in yes { #expect(try OSCPattern(pattern).matches(address), "\(pattern) \(address)") }
            for address in no { #expect(try !OSCPattern(pattern).matches(address), "\(pattern) \(address)") }
        }
        for broken in ["/[a", "/{a,b", "/a]", "/a}"] { #expect(throws: OSCDefect.self) { try OSCPattern(broken) } }
        // No pattern takes long.
        let stars = "/" + String(repeating: "*a", count: 400)
        #expect(try !OSCPattern(stars).matches("/" + String(repeating: "a", count: 399)))
    }

    @Test func aMessageWithoutTypeTagsIsUnderstood() throws {
        func read(_ text: String, _ rest: [UInt8] = []) throws -> OSCMessage {
            let name = Array(text.utf8)
            return try OSCMessage(name + [UInt8](repeating: 0, count: 4 - name.count % 4) + rest)
        }
        #expect(try read("/Gain/gain") == OSCMessage("/Gain/gain"))
        #expect(try read("/undo") == OSCMessage("/undo"))
        #expect(try read("/Gain/gain", [0xC0, 0xC0, 0, 0]) == OSCMessage("/Gain/gain", .float(-6)))
        #expect(try read("/scene", [0, 0, 0, 2]) == OSCMessage("/scene", .integer(2)))
        #expect(try read("/Gain/gain", [0xFF, 0xFF, 0xFF, 0xFD]) == OSCMessage("/Gain/gain", .integer(-3)))
        #expect(try read("/scene", Array("Verse\0\0\0".utf8)) == OSCMessage("/scene", .text("Verse")))
        #expect(throws: OSCDefect.self) { try read("/Gain/gain", [0, 0, 0, 2, 0, 0, 0, 2]) }
        #expect(throws: OSCDefect.self) { try read("/Gain/gain", [1, 2]) }
    }

    @Test func namesComeBackFromAddresses() throws {
        for name in ["Reverb", "Low cut.1", "a/b", "100 %", "Röhre", "#1*?[]{},", "scene", "undo", "日本", "\u{7f}"] {
            let address = OSCAddress.address(node: name, "group.mix")
            #expect(address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            guard case .get(let path) = try OSCCommand(OSCMessage(address)) else {
                Issue.record("\(address) is no question")
                continue
            }
            #expect(path == "\(name).group.mix")
        }
        #expect(OSCAddress.address(node: "Low cut.1", "cutoff") == "/Low%20cut.1/cutoff")
        #expect(OSCAddress.address(node: "scene", "mix") == "/%73cene/mix")
    }

    @Test func commandsAreReadFromMessages() throws {
        func command(_ address: String, _ arguments: OSCArgument...) throws -> OSCCommand {
            var message = OSCMessage(address)
            message.arguments = arguments
            return try OSCCommand(message)
        }
        #expect(try command("/Reverb/mix", .float(40)) == .set(path: "Reverb.mix", .number(40)))
        #expect(try command("/Reverb/mode", .text("Hall")) == .set(path: "Reverb.mode", .text("Hall")))
        #expect(try command("/scene", .text("Verse")) == .scene("Verse"))
        #expect(try command("/scene", .integer(2)) == .sceneNumber(2) && command("/scene", .float(2)) == .sceneNumber(2))
        #expect(try command("/undo") == .undo && command("/undo", .float(1)) == .undo && command("/undo", .float(0)) == .nothing)
        #expect(try command("/bypass/a%2Fb", .integer(1)) == .bypass(node: "a/b", true))
        #expect(
            try command("/bypass/a", .flag(false)) == .bypass(node: "a", false) && command("/bypass/a") == .bypass(node: "a", nil))
        #expect(
            try command("/space/ypr", .float(30), .integer(-10), .double(5))
                == .turn(node: "space", yaw: 30, pitch: -10, roll: 5))
        #expect(try command("/ypr", .float(0), .float(1), .float(2)) == .turn(node: nil, yaw: 0, pitch: 1, roll: 2))
        // A quarter turn to the left, around the axis that points upwards; its length does not count.
        guard case .turn(nil, let yaw, let pitch, let roll) = try command("/quaternion", .float(2), .float(0), .float(2), .float(0))
        else {
            Issue.record("no turn")
            return
        }
        #expect(abs(yaw + 90) < 1e-4 && abs(pitch) < 1e-4 && abs(roll) < 1e-4)
        #expect(throws: OSCDefect.self) { try command("/quaternion", .float(0), .float(0), .float(0), .float(0)) }
        #expect(throws: OSCDefect.self) { try command("/space/ypr", .float(0), .float(.nan), .float(0)) }
        #expect(throws: OSCDefect.self) { try command("/ypr", .float(0), .float(1)) }
        #expect(try command("/watch") == .watch([.parameters, .faults, .edits]))
        #expect(try command("/watch", .text("meters")) == .watch([.meters]))
        for (address, argument) in [
            ("/", OSCArgument.integer(1)), ("/a", .integer(1)), ("/a//b", .integer(1)), ("/a/*", .integer(1)),
            ("/a/b%2", .integer(1)),
            ("/a/%00", .integer(1)), ("/a/%FF", .integer(1)), ("/scene", .float(1.5)), ("/scene/x", .integer(1)),
            ("/watch", .text("weather")),
            ("/a/b", .float(.nan)), ("/a/b", .double(.infinity)), ("/bypass/a", .text("x")), ("/undo", .text("x")),
        ] {
            #expect(throws: OSCDefect.self, "\(address)") { try command(address, argument) }
        }
        #expect(throws: OSCDefect.self) { try command("/a/b", .integer(1), .integer(2)) }
        #expect(throws: OSCDefect.self) { try command("/scene") }
    }

    @Test func damagedPacketsAreReadOrRefused() throws {
        var random = Seed()
        let seeds = [
            Self.frequency, OSCMessage("/a/b", .text("text"), .integer(1), .double(2), .flag(true)).bytes,
            OSCPacket.bundle([Self.frequency, OSCPacket.bundle([OSCMessage("/undo").bytes], at: .immediate)], at: .after(1)),
            Array("/a\0\0,bmtcNI[]\0\0\0\0\0\0\0\0\u{1}abc\0".utf8),
        ]
        var readCount = 0
        for _ in 0..<100_000 {
            var bytes = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where !bytes.isEmpty:
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                case 1 where !bytes.isEmpty: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
                case 2: bytes += (0..<Int.random(in: 0..<9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                default: bytes += seeds.randomElement(using: &random) ?? []
                }
            }
            guard let packet = try? OSCPacket(bytes) else { continue }
            readCount += 1
            for (_, message) in packet.messages {
                _ = try? OSCCommand(message)
                #expect(message.address.hasPrefix("/"))
            }
        }
        #expect(readCount > 1000)
    }

    @Test func watchersAreForgottenAndErrorsAreLimited() {
        var clients = OSCClients()
        let peers = (0...OSCClients.mostClients).map { OSCPeer(address: [UInt8($0)], socket: 1) }
        let areTaken = peers.map { clients.watch($0, [.parameters], at: 0) }
        #expect(areTaken == Array(repeating: true, count: OSCClients.mostClients) + [false])
        #expect(
            clients.watchers(of: .parameters, at: 1).count == OSCClients.mostClients && clients.watchers(of: .meters, at: 1).isEmpty
        )
        // Their own value is not told to them, and soon after it is.
        clients.note(5, at: "Gain.gain", by: peers[0], at: 1)
        #expect(!clients.watchers(of: .parameters, path: "Gain.gain", value: 5, at: 2).contains(peers[0]))
        #expect(clients.watchers(of: .parameters, path: "Gain.gain", value: 6, at: 2).contains(peers[0]))
        #expect(clients.watchers(of: .parameters, path: "Gain.gain", value: 5, at: 2_000_000_000).contains(peers[0]))
        clients.hear(peers[3], at: OSCClients.patience - 1)
        #expect(clients.watchers(of: .parameters, at: OSCClients.patience + 1) == [peers[3]])
        let told = (0..<100).count { _ in clients.mayTellError(at: 5_000_000_000) }
        #expect(told == 20)
        let isToldLater = clients.mayTellError(at: 7_000_000_000)
        #expect(isToldLater)
    }
}
