// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A file through four effects: in process, in processes of their own, and by other hosts. Main thread.

import AudioFiles
import BenchmarkSupport
import Glibc

extension StandardSet {
    private static let effectCount = 4

    /// Each command is timed from its start to its end, as somebody waits for it.
    mutating func measureOffline(into figures: inout RoundFigures) {
        for (figure, effect) in [(Figure.offlineDistortion, "Distortion"), (.offlineReverb, "Reverb")] {
            attempt([figure], &figures) { (set, figures) throws(BenchmarkError) in
                let files = try set.offlineFiles()
                let serial = try set.time(
                    set.render(["--isolation", "in-process"] + Self.chain(["-e", effect]), files), writes: files.output)
                let own = try set.time(set.render(Self.chain(["-e", effect]), files), writes: files.output)
                figures[figure] = serial / own
            }
        }
        attempt([.otherHosts], &figures) { (set, figures) throws(BenchmarkError) in try set.measureOtherHosts(into: &figures) }
    }

    /// `lv2apply` is not among them: it takes one plug-in.
    private mutating func measureOtherHosts(into figures: inout RoundFigures) throws(BenchmarkError) {
        let files = try offlineFiles()
        setenv("LADSPA_PATH", "/usr/lib/ladspa", 0)
        let own = render(Self.chain(["-e", "ladspa:tap_reverb:tap_reverb"]), files)
        let settings = ["2500", "-6", "-20", "1", "1", "1", "1", "0"]
        let plugin = ["tap_reverb.so", "tap_reverb"] + settings
        let sox = BenchmarkCommand(["sox", files.input, files.output] + Self.chain(["ladspa"] + plugin))
        let ecasound = BenchmarkCommand(
            ["ecasound", "-q", "-f:f32_le,2,48000", "-i", files.input, "-o", files.output]
                + Self.chain(["-el:tap_reverb,\(settings.joined(separator: ","))"]))
        let applyplugin = BenchmarkCommand(["applyplugin", files.input16, files.output] + Self.chain(plugin))
        figures[.bulkheadFile] = try time(own, writes: files.output)
        figures[.soxFile] = try time(sox, writes: files.output)
        figures[.ecasoundFile] = try time(ecasound, writes: files.output)
        figures[.applypluginFile] = try time(applyplugin, writes: files.output)
        let others = [Figure.soxFile, .ecasoundFile, .applypluginFile].compactMap { figures[$0] }
        if let own = figures[.bulkheadFile], let fastest = others.min() { figures[.otherHosts] = fastest / own }
    }

    private static func chain(_ words: [String]) -> [String] { (0..<effectCount).flatMap { _ in words } }

    private func render(_ words: [String], _ files: OfflineFiles) -> BenchmarkCommand {
        BenchmarkCommand(["\(folder)/bulkhead", "render", files.input, files.output, "--tail", "0"] + words)
    }

    /// Seconds. Throws where what was written is not the whole file.
    private mutating func time(_ command: BenchmarkCommand, writes output: String) throws(BenchmarkError) -> Double {
        note(command)
        unlink(output)
        var start = timespec()
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &start)
        _ = try command.output()
        clock_gettime(CLOCK_MONOTONIC, &end)
        guard let frameCount = try? AudioFile.load(output).frameCount, frameCount >= OfflineFiles.frameCount else {
            throw BenchmarkError("`\(command.text)` did not write the whole file")
        }
        return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
    }

    private mutating func offlineFiles() throws(BenchmarkError) -> OfflineFiles {
        if let files { return files }
        let made = try OfflineFiles()
        files = made
        return made
    }
}

/// Two minutes of noise in a folder of their own, which goes with them.
final class OfflineFiles {
    private static let seconds = 120
    static let frameCount = 48_000 * seconds
    private let folder: String
    let input, input16, output: String

    init() throws(BenchmarkError) {
        var template = Array("/tmp/bulkhead-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw BenchmarkError("Couldn't make a folder in /tmp.") }
        folder = String(cString: made)
        (input, input16, output) = ("\(folder)/in.wav", "\(folder)/in16.wav", "\(folder)/out.wav")
        let shape = ["-r", "48000", "-c", "2"]
        _ = try BenchmarkCommand(
            ["sox", "-n"] + shape + [
                "-b", "32", "-e", "floating-point", input, "synth", "\(Self.seconds)", "whitenoise", "vol", "0.1",
            ]
        ).output()
        // For the one host among them that reads whole numbers alone.
        _ = try BenchmarkCommand(["sox", input, "-b", "16", "-e", "signed", input16]).output()
    }

    deinit {
        for file in [input, input16, output] { unlink(file) }
        rmdir(folder)
    }
}
