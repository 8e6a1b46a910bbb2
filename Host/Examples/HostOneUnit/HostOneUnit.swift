// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hosts one plug-in: renders a file through Reverb, which lives in a process of its own. Main thread.

import AudioFiles
import Glibc
import PluginHosting

/// A host of one plug-in.
enum HostOneUnit {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        let names = words.filter { $0 != "--kill" }
        guard names.count == 2 || names.count == 3 else {
            print("usage: HostOneUnit INPUT OUTPUT [PLUGIN] [--kill]")
            exit(2)
        }
        do {
            let plugin = names.count > 2 ? names[2] : "Reverb"
            try await render(names[0], through: plugin, into: names[1], killsHalfway: words.contains("--kill"))
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Renders `input` through the plug-in `name` into `output`.
    ///
    /// With `killsHalfway` the plug-in's process is killed halfway.
    static func render(_ input: String, through name: String, into output: String, killsHalfway: Bool) async throws {
        let reader = try AudioFileReader(path: input)
        let (rate, channelCount) = (reader.format.sampleRate, reader.format.channelCount)
        let writer = try AudioFileWriter(path: output, sampleRate: rate, channelCount: channelCount)
        let buffer = AudioBuffer(channelCount: channelCount, frameCapacity: 4096)

        let unit = try await PluginUnit.instantiate(name)
        try unit.setFormat(AudioFormat(sampleRate: rate, channelCount: channelCount))
        unit.isRenderingOffline = true
        try unit.allocateRenderResources()
        let renderBlock = unit.renderBlock

        var isKilled = !killsHalfway
        while true {
            let frameCount = try reader.read(into: buffer.block(frameCount: 4096).channels, frameCount: 4096)
            guard frameCount > 0 else { break }
            if !isKilled, reader.position * 2 > reader.format.frameCount, let process = unit.processIdentifier {
                kill(process, SIGKILL)
                isKilled = true
            }
            let block = buffer.block(frameCount: frameCount)
            renderBlock(block, into: block)
            try writer.write(block.channels, frameCount: frameCount)
        }
        unit.deallocateRenderResources()
        try writer.finish()

        print("Rendered \(writer.frameCount) frames through \"\(unit.name)\" \(unit.component.version).")
        for record in unit.faults { print("\"\(unit.name)\" \(record.fault), and was started again.") }
    }
}
