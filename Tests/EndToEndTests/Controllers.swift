// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What moves a live host in tests: a node that sends MIDI, and packets of OSC. Test thread.

import Foundation
import PipeWireIO
import Rendering
import Testing

extension PrivatePipeWire {
    private func runTool(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Ends the link between two ports.
    func unlink(_ source: String, _ destination: String) throws {
        let process = try runTool(["pw-link", "-d", source, destination])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// Links two ports, as soon as both are there.
    func link(_ source: String, _ destination: String) throws {
        let isLinked = try eventually(within: 5) {
            let process = try runTool(["pw-link", source, destination])
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
        #expect(isLinked)
    }
}

/// Packets to a port of this machine.
enum Datagram {
    /// A port that nothing listens at, at present.
    static func freePort() throws -> UInt16 {
        let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(number) }
        var name = sockaddr_in()
        (name.sin_family, name.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
        return try withUnsafeMutablePointer(to: &name) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var count = socklen_t(MemoryLayout<sockaddr_in>.size)
                try #require(bind(number, address, count) == 0 && getsockname(number, address, &count) == 0)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
    }

    static func send(_ bytes: [UInt8], to port: UInt16) throws {
        let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(number) }
        var name = sockaddr_in()
        (name.sin_family, name.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let sent = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(number, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        #expect(sent == bytes.count)
    }
}

/// A node that sends MIDI and is silent otherwise.
final class Controller {
    let driver: PipeWireDriver
    private let context = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)

    init(_ session: PrivatePipeWire, name: String = "bulkhead-controller") throws {
        var configuration = PipeWireConfiguration(
            nodeName: name, description: "Controller", kind: .filter, outputChannelCount: 0)
        (configuration.socketPath, configuration.midiOutputName) = (session.socketPath, "midi_out")
        driver = PipeWireDriver(configuration)
        try driver.start(RenderCallback(function: { _, _ in }, context: context))
    }

    func stop() { driver.stop() }

    deinit {
        driver.stop()
        context.deallocate()
    }
}
