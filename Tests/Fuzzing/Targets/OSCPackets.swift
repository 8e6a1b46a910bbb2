// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Datagrams of Open Sound Control, which anybody may send. The fuzzer's thread.

import OpenSoundControl

extension FuzzTarget {
    static let oscPacket = FuzzTarget("osc-packet", seeds: OSCSeeds.all) { bytes in
        guard let packet = try? OSCPacket(bytes) else { return }
        precondition(packet.messages.count <= OSCPacket.mostMessages)
        for (time, message) in packet.messages {
            precondition(message.address.hasPrefix("/"))
            _ = time.nanoseconds(after: 1_700_000_000_000_000_000)
            // What was read can be written, and is the same when it is read again; NaN is not equal to itself.
            let again = try? OSCMessage(message.bytes)
            precondition(again.map { "\($0)" } == "\(message)")
            for part in message.address.dropFirst().split(separator: "/") {
                guard let name = try? OSCName.name(part) else { continue }
                precondition((try? OSCName.name(Substring(OSCName.part(name)))) == name)
            }
        }
    }
}

private enum OSCSeeds {
    static let all: [[UInt8]] = [
        set, all(types),
        OSCPacket.bundle([set, OSCPacket.bundle([all(types)], at: .immediate)], at: .after(1_700_000_000_000_000_000)),
        Array("/a\0\0,bmtcNI[]\0\0\0\0\0\0\0\0\u{1}abc\0".utf8),
    ]
    private static let set = OSCMessage("/Low%20cut/cutoff", .float(500)).bytes
    private static let types: [OSCArgument] = [
        .integer(-1), .integer(1 << 40), .float(0.5), .double(2), .text("text"), .flag(true), .flag(false),
    ]

    private static func all(_ arguments: [OSCArgument]) -> [UInt8] {
        var message = OSCMessage("/a")
        message.arguments = arguments
        return message.bytes
    }
}
