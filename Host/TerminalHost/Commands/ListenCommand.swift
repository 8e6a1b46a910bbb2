// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead listen: the numbers of a sound, and pictures of it. Main thread.

import AudioFiles
import Console
import Listening
import Measuring
import PluginHosting

struct ListenCommand: Command {
    static let name = "listen"
    static let summary = "measures a sound, and draws it"
    static let synopsis = "FILE | --node NAME [--duration S] [--json] [--picture OUT [--show PLOT,…]]"
    static let operands = [Operand("FILE", .file, .optional)]
    static var table: [OptionReader<Self>] {
        [
            .text("--node", "NAME", "Listen to this PipeWire sink, source or stream instead of a file; auto is the default sink") {
                $0.node = $1
            },
            .number("--duration", "S", in: 0.01...1e6, "Listen for S seconds", default: "all of a file, 10 seconds of a node") {
                $0.duration = $1
            },
            .flag("--json", "Print JSON") { $0.isJSON = true },
            .text("--picture", "OUT", offering: .file, "Also draw the sound, to OUT.png or OUT.svg") {
                $0.picture = try Self.picture($1)
            },
            .choices("--show", "PLOTS", among: SoundPlot.allCases, "What to draw", default: "all of them") { $0.plots = $1 },
        ]
    }
    static let details = """
        Loudness is that of EBU R 128: integrated and gated, the range, and the greatest of 400 ms and of 3 s. The true peak is the
        largest magnitude between the samples, too. RMS is that of the samples: a sine of full scale has -3.0 dBFS.

        A silence is at least 10 ms below -90 dBFS in all channels, with sound before and after. A click is a step that is far
        beyond all others within 11 ms before and after. A clipped sample is beyond full scale, or one of three equal ones at it.

        On a terminal a small waveform follows, unless there is a picture. bulkhead-listening(7) tells how to read the numbers.
        """
    static let examples = [
        "song.flac", "song.flac --picture song.png --show waveform,spectrogram", "--node auto --duration 30", "take.wav --json",
    ]

    private var file: String?
    private var node: String?
    private var duration: Double?
    private var isJSON = false
    private var picture: PlotFile?
    private var plots: [SoundPlot]?

    mutating func take(_ operand: String) -> Bool {
        guard file == nil else { return false }
        file = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard file != nil || node != nil else { throw arguments.usage("Say which file to listen to, or which node: --node NAME.") }
        if file != nil, node != nil { throw arguments.usage("Listen to one thing at a time: leave the file or --node out.") }
        if plots != nil, picture == nil { throw arguments.usage("--show says what to draw: add --picture OUT.png.") }
    }

    private static func picture(_ path: String) throws(CommandError) -> PlotFile {
        if let file = PlotFile(path: path) { return file }
        throw usage("--picture takes the name of a file that ends in .png or .svg, not \"\(path)\".")
    }

    func run() throws {
        try OutputFiles(inputs: file.map { [$0] } ?? []).check([picture?.path], Self.usage)
        guard let node else { return try listen(to: file ?? "", named: FilePath.name(of: file ?? "")) }
        let recording = try NodeRecording(of: node, seconds: duration ?? 10)
        try listen(to: recording.path, named: node)
    }

    private func listen(to path: String, named title: String) throws {
        let reader = try AudioFileReader(path: path, takesPipes: true)
        let hasWaveform = picture == nil && !isJSON && Terminal.isInteractive
        let sound = try HeardSound(
            reader, seconds: node == nil ? duration : nil,
            columnCount: hasWaveform ? TextWaveform.columnCount : ListenPicture.columnCount,
            hasSpectra: picture != nil,
            // After Ctrl-C, a recording ends, and the part so far is played.
            check: { if node == nil { try Interruption.check("Stopped; \"\(title)\" was not heard to its end.") } })
        let encoding = node == nil ? reader.encoding?.rawValue : nil
        if isJSON {
            Terminal.print(try Terminal.json(sound.facts))
        } else {
            Terminal.print(lines: sound.facts.lines(encoding: encoding))
        }
        if hasWaveform { Terminal.print(lines: [""] + TextWaveform.lines(sound)) }
        guard let picture else { return }
        try picture.write(try ListenPicture(sound, title: title, plots: plots ?? SoundPlot.allCases).draw(as: picture.format))
    }
}
