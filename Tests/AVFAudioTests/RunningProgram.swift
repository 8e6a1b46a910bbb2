// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One of `Tests/ApplePrograms5` while it runs in a PipeWire of its own. Test thread, and one that reads.

import Foundation
import PipeWireIO
import Synchronization
import TestSupport

/// A program that runs; its lines are read as they come.
final class RunningProgram: @unchecked Sendable {
    // SAFETY: the lines are in a mutex, and the test thread alone uses the rest.
    private let process = Process()
    private let input = Pipe()
    private let lines = Mutex<[String]>([])

    /// Starts a program in a language mode.
    init(_ mode: Int, _ arguments: [String], in session: PrivatePipeWire) throws {
        process.executableURL = URL(fileURLWithPath: "\(Build.folder)/ApplePrograms\(mode)")
        process.arguments = arguments
        process.environment = session.environment
        let output = Pipe()
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
        try process.run()
        Thread.detachNewThread { [weak self] in
            var (rest, bytes) = (Data(), [UInt8](repeating: 0, count: 4096))
            while case let count = read(output.fileHandleForReading.fileDescriptor, &bytes, bytes.count), count > 0 {
                rest += bytes[..<count]
                self?.take(&rest)
            }
        }
    }

    private func take(_ rest: inout Data) {
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
            rest = Data(rest[rest.index(after: end)...])
            lines.withLock { $0.append(line) }
        }
    }

    /// All lines so far.
    var printed: [String] { lines.withLock { $0 } }

    /// Writes a line to the program.
    func write(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

    /// Waits for a line that begins with a text, and returns it.
    func line(beginning text: String) throws -> String {
        let deadline = ContinuousClock.now + .seconds(Patience.seconds())
        while ContinuousClock.now < deadline {
            if let line = printed.last(where: { $0.hasPrefix(text) }) { return line }
            usleep(10_000)
        }
        throw TestFailure("\"\(text)\" has not been printed, but \(printed)")
    }

    /// Ends the program's input, waits for its end, and returns its status.
    func finish() -> Int32 {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    deinit { if process.isRunning { process.terminate() } }
}

extension PrivatePipeWire {
    /// Runs one of PipeWire's own programs in the session, and returns what it printed.
    @discardableResult
    func run(_ program: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(program)")
        process.arguments = arguments
        process.environment = environment
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Starts the daemon and its session manager again, after `killDaemon`; the caller ends both.
    func startAgain() throws -> [Process] {
        let folder = environment["XDG_RUNTIME_DIR"] ?? "/tmp"
        let settings = [
            "XDG_CONFIG_HOME": "\(folder)/config", "XDG_STATE_HOME": "\(folder)/state", "XDG_CACHE_HOME": "\(folder)/cache",
        ]
        return try ["pipewire", "wireplumber"].map { name in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/\(name)")
            process.environment = environment.merging(settings) { $1 }
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            let deadline = ContinuousClock.now + .seconds(Patience.seconds())
            while !PipeWireDaemon.isReachable(socketPath: socketPath), ContinuousClock.now < deadline { usleep(10_000) }
            return process
        }
    }

    /// Makes a sink or source that plays to nothing.
    func makeDevice(_ name: String, isSink: Bool, _ properties: String = "") throws {
        try run(
            "pw-cli", "create-node", "adapter",
            """
            { factory.name=support.null-audio-sink node.name="\(name)" node.description="The \(name)" \(properties)
              media.class="\(isSink ? "Audio/Sink" : "Audio/Source/Virtual")" object.linger=true audio.position="FL,FR" }
            """)
    }

    /// Has the session play to a sink by default, or record a source.
    func choose(_ name: String, isSink: Bool) throws {
        try run(
            "pw-metadata", "0", "default.configured.audio.\(isSink ? "sink" : "source")", "{ \"name\": \"\(name)\" }",
            "Spa:String:JSON")
    }
}
