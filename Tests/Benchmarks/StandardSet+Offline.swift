// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A file through four effects: in process, in processes of their own, and by other hosts. Main thread.

import AudioFiles
import BenchmarkSupport
import Glibc

extension StandardSet {
    private static let effectCount = 4

    /// Times each command from its start to its end, as a user waits for it.
    mutating func measureOffline(into figures: inout RoundFigures) {
        for (figure, effect) in [(Figure.offlineDistortion, "Distortion"), (.offlineReverb, "Reverb")] {
            attempt([figure], &figures) { (set, figures) throws(BenchmarkError) in
                let serial = try set.time(set.render(["--isolation", "in-process"] + Self.chain(["-e", effect])))
                figures[figure] = try serial / set.time(set.render(Self.chain(["-e", effect])))
            }
        }
        let hosts = OtherHosts(effectCount: Self.effectCount)
        attempt([.otherHosts], &figures) { (set, figures) throws(BenchmarkError) in
            let own = try set.render(Self.chain(hosts.own), of: OfflineFiles.input)
            try set.race(own, .bulkheadFile, against: hosts.ofFloats, .otherHosts, into: &figures)
        }
        attempt([.otherHosts16], &figures) { (set, figures) throws(BenchmarkError) in
            let own = try set.render(Self.chain(hosts.own), of: OfflineFiles.input16)
            try set.race(own, .bulkheadFile16, against: hosts.of16Bits, .otherHosts16, into: &figures)
        }
    }

    /// Times every host once; `ratio` becomes the fastest of the others over Bulkhead.
    private mutating func race(
        _ own: BenchmarkCommand, _ ownFigure: Figure, against others: [(Figure, [String])], _ ratio: Figure,
        into figures: inout RoundFigures
    ) throws(BenchmarkError) {
        let ownSeconds = try time(own)
        figures[ownFigure] = ownSeconds
        var fastest = Double.infinity
        for (figure, words) in others {
            let seconds = try time(BenchmarkCommand(words, in: offlineFiles().folder))
            figures[figure] = seconds
            fastest = min(fastest, seconds)
        }
        figures[ratio] = fastest / ownSeconds
    }

    private static func chain(_ words: [String]) -> [String] { (0..<effectCount).flatMap { _ in words } }

    private mutating func render(_ words: [String], of input: String = OfflineFiles.input) throws(BenchmarkError)
        -> BenchmarkCommand
    {
        let files = [input, OfflineFiles.output, "--tail", "0"]
        return BenchmarkCommand(["\(folder)/bulkhead", "render"] + files + words, in: try offlineFiles().folder)
    }

    /// The seconds that a command takes.
    ///
    /// Throws when the command fails, or when its output is not the whole file or equals the input. Then nothing of this run is
    /// written.
    private mutating func time(_ command: BenchmarkCommand) throws(BenchmarkError) -> Double {
        note(command)
        do throws(BenchmarkError) {
            let files = try offlineFiles()
            files.removeOutput()
            var start = timespec()
            var end = timespec()
            clock_gettime(CLOCK_MONOTONIC, &start)
            _ = try command.output()
            clock_gettime(CLOCK_MONOTONIC, &end)
            if let complaint = files.complaintOfOutput { throw BenchmarkError("`\(command.text)` \(complaint)") }
            return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
        } catch {
            note(error)
            throw error
        }
    }

    private mutating func offlineFiles() throws(BenchmarkError) -> OfflineFiles {
        if let files { return files }
        let made = try OfflineFiles()
        made.commands.forEach { note($0) }
        files = made
        return made
    }
}

/// Two minutes of noise in a folder of their own, which is removed with this object.
final class OfflineFiles {
    static let (input, input16, output) = ("in.wav", "in16.wav", "out.wav")
    private static let seconds = 120
    let folder: String
    /// The commands that made the files.
    let commands: [BenchmarkCommand]

    init() throws(BenchmarkError) {
        var template = Array("/tmp/bulkhead-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw BenchmarkError("Couldn't make a folder in /tmp.") }
        folder = String(cString: made)
        let shape = ["-r", "48000", "-c", "2", "-b", "32", "-e", "floating-point"]
        // Low, so that no host clips after four reverbs; and 16 bits for the host that reads nothing else.
        let noise = ["synth", "\(Self.seconds)", "whitenoise", "vol", "0.003"]
        commands = [
            BenchmarkCommand(["sox", "-n"] + shape + [Self.input] + noise, in: folder),
            BenchmarkCommand(["sox", Self.input, "-b", "16", "-e", "signed", Self.input16], in: folder),
        ]
        for command in commands { _ = try command.output() }
        try checkThatCopiesAreNoticed()
    }

    /// Checks that a copy of the input counts as an error: a host that does nothing would be the fastest.
    private func checkThatCopiesAreNoticed() throws(BenchmarkError) {
        _ = try BenchmarkCommand(["cp", Self.input, Self.output], in: folder).output()
        guard complaintOfOutput != nil else { throw BenchmarkError("A host that only copies the file would not be noticed.") }
    }

    deinit {
        for name in [Self.input, Self.input16, Self.output] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    func removeOutput() { unlink("\(folder)/\(Self.output)") }

    /// What is wrong with the output; nil for a whole file in which the effects are heard.
    var complaintOfOutput: String? {
        guard let output = try? LoadedAudio.load("\(folder)/\(Self.output)") else { return "wrote no sound file" }
        guard let input = try? LoadedAudio.load("\(folder)/\(Self.input)") else { return "took the input away" }
        guard output.frameCount >= input.frameCount else { return "wrote \(output.frameCount) of \(input.frameCount) frames" }
        var (difference, energy): (Float, Float) = (0, 0)
        // A second from the middle.
        for frame in (input.frameCount / 2)..<(input.frameCount / 2 + 48_000) {
            let change = output.channels[0][frame] - input.channels[0][frame]
            difference += change * change
            energy += output.channels[0][frame] * output.channels[0][frame]
        }
        return energy > 0 && difference > energy / 100 ? nil : "wrote nothing but its input, or silence"
    }
}
