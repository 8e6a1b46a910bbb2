// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Independent hosts that read a sound file and write one, to compare sounds with. Test thread.

import AudioFiles
import Foundation
import Glibc
import TestSupport
import Testing

/// A program that applies a plug-in to a file.
struct OtherHost {
    let program: String

    /// The program's output for `input`, at 48 kHz; `arguments` gets the paths of the input and the output file.
    func output(of input: [[Float]], _ arguments: (_ from: String, _ to: String) -> [String]) throws -> [[Float]] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bulkhead-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (from, to) = ("\(folder)/in.wav", "\(folder)/out.wav")
        let writer = try AudioFileWriter(path: from, sampleRate: 48_000, channelCount: input.count)
        try input.withPointers { try writer.write($0, frameCount: input[0].count) }
        try writer.finish()
        Self.removeSharedTables()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments(from, to)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) \(process.terminationReason) \(process.arguments ?? [])")
        let output = try LoadedAudio.load(to)
        return (0..<output.channelCount).map { Array(output[$0]) }
    }

    /// Removes the tables that swh's plug-ins leave in shared memory for each other.
    ///
    /// In Debian 13, those of swh-plugins 0.4.17-3 and of swh-lv2 1.0.16-4 differ, and oscillators sound by what ran before them. A
    /// plug-in that is confined here neither finds nor leaves one. `findings/swh-shared-tables.sh` shows it.
    private static func removeSharedTables() {
        for name in Folder.entries(of: "/dev/shm") where name.hasPrefix("blo-") && name.hasSuffix(".tbl") {
            unlink("/dev/shm/\(name)")
        }
    }

    /// The same noise for every host, at most `level` loud.
    static func noise(_ channelCount: Int, frameCount: Int, level: Float) -> [[Float]] {
        var state: UInt32 = 1
        return (0..<channelCount).map { _ in
            (0..<frameCount).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Float(Int32(bitPattern: state) >> 17) / 16384 * level
            }
        }
    }
}

extension [[Float]] {
    /// Calls `body` with a pointer a channel.
    fileprivate func withPointers(_ body: (UnsafePointer<UnsafeMutablePointer<Float>>) throws -> Void) rethrows {
        let memory = map { channel in
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: Swift.max(1, channel.count))
            samples.initialize(from: channel, count: channel.count)
            return samples
        }
        defer { memory.forEach { $0.deallocate() } }
        try memory.withUnsafeBufferPointer { try body($0.baseAddress!) }
    }
}
