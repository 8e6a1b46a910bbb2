// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LADSPA plug-ins sound here as they do in an independent host: applyplugin, of the LADSPA SDK.

import AudioFiles
import AudioUnits
import Foundation
import Testing

@testable import PluginHosting

@Suite struct ApplypluginTests {
    /// Both render in blocks of this size.
    private static let blockSize = 2048
    private static let frameCount = 24_000

    @Test(arguments: plugins) func soundsAsInApplyplugin(_ plugin: String) throws {
        let comparison = try Comparison(plugin) { _ in }
        #expect(comparison.ours.contains { $0.contains { abs($0) > 1e-3 } }, "silence proves nothing")
        // applyplugin writes 16 bits a sample.
        #expect(comparison.largestDifference <= 1.01 / 32768)
    }

    @Test func aDifferenceIsNoticed() throws {
        let comparison = try Comparison("amp_1181:amp") { try $0.set("amps-gain-db", to: 0.01) }
        #expect(comparison.largestDifference > 1.01 / 32768)
    }

    /// A plug-in rendered here, after `change`, and by applyplugin, without.
    private struct Comparison {
        let ours, theirs: [[Float]]

        init(_ plugin: String, change: (HostedUnit) throws -> Void) throws {
            let parts = plugin.split(separator: ":").map(String.init)
            let library = "\(InstalledLADSPATests.folder)/\(parts[0]).so"
            let unit = try HostedUnit(Bridges.component("ladspa:\(plugin)", at: library, .ladspa))
            let input = ApplypluginTests.noise(unit.description.inputs[0].defaultFormat.channelCount)
            let settable = unit.parameters.parameters.filter { !$0.parameter.flags.contains(.meter) }
            // In decimal, with as many digits as a float has.
            let controls = settable.map { "\(Float($0.parameter.defaultValue))" }
            try change(unit)
            ours = try Rendering(blockSize: ApplypluginTests.blockSize).render(unit, input)
            theirs = try ApplypluginTests.applyplugin(input, library, parts[1], controls)
            try #require(theirs.map(\.count) == ours.map(\.count))
        }

        var largestDifference: Float {
            zip(ours, theirs).map { zip($0, $1).map { abs(max(-1, min(1, $0)) - $1) }.max() ?? 0 }.max() ?? 0
        }
    }

    private static func noise(_ channelCount: Int) -> [[Float]] {
        var state: UInt32 = 1
        return (0..<channelCount).map { _ in
            (0..<frameCount).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Float(Int32(bitPattern: state) >> 17) / 262144
            }
        }
    }

    /// What applyplugin makes of a sound.
    private static func applyplugin(
        _ input: [[Float]], _ library: String, _ label: String, _ controls: [String]
    ) throws -> [[Float]] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bulkhead-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try AudioFileWriter(path: "\(folder)/in.wav", sampleRate: 48_000, channelCount: input.count)
        try input.withPointers { try writer.write($0, frameCount: frameCount) }
        try writer.finish()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/applyplugin")
        process.arguments = ["\(folder)/in.wav", "\(folder)/out.wav", library, label] + controls
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(label) \(process.terminationReason) \(controls)")
        let output = try AudioFile.load("\(folder)/out.wav")
        return (0..<output.channelCount).map { Array(output[$0]) }
    }
}

extension [[Float]] {
    /// Calls `body` with a pointer a channel.
    func withPointers(_ body: (UnsafePointer<UnsafeMutablePointer<Float>>) throws -> Void) rethrows {
        let memory = map { channel in
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: Swift.max(1, channel.count))
            samples.initialize(from: channel, count: channel.count)
            return samples
        }
        defer { memory.forEach { $0.deallocate() } }
        try memory.withUnsafeBufferPointer { try body($0.baseAddress!) }
    }
}
