// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render: renders files through a chain into other files, as fast as possible. Main thread.

struct RenderCommand: Command {
    static let name = "render"
    static let summary = "renders files through a chain of effects into other files"
    static let synopsis =
        "IN OUT | IN… --output-folder DIR (-e ID [--preset NAME] [--set KEYPATH=VALUE]… [--automate …] [--isolation POLICY])…"
    static let operands = [Operand("IN", .file), Operand("OUT", .file, .manyWith(BatchArguments.folderOption))]
    static var table: [OptionReader<Self>] {
        FileRender.table.lifted(to: \.render) + BatchArguments.table.lifted(to: \.batch, section: BatchArguments.section)
            + [.flag(ServedRender.option, "For the command's own use") { $0.isServed = true }.hidden]
    }
    static let details = """
        OUT has the rate, the channels, the kind of samples and the tags of IN. The end of its name chooses the format: .wav,
        .flac, .ogg, .opus, .mp3, .aiff, .caf and others. Effects render at the rate of IN; --rate, and a format that does not
        have that rate, convert the result. 16-bit samples are dithered. `-` as IN is standard input, and as OUT a WAV file on
        standard output; IN may be a pipe. An effect that does not take so many channels is an error; `bulkhead info ID` shows the numbers it
        takes. After the end of IN rendering goes on while the effects sound, at most 30 seconds. The file ends where the sound has
        fallen below −90 dBFS. If an effect cannot say for how long it sounds, a second of silence ends it.

        An effect that dies is restarted and renders the same block again (`retry`). If it keeps failing, its replacement is
        written, the report counts those blocks, and the exit status is 1. With `bypass` the replacement is written at once and
        the exit status is 0. With `stop` nothing is written.

        IN may be a MIDI file; its content tells. Then the first -e is an instrument, which plays it. Each further instrument plays the same
        song beside it; --midi-channels, --midi-keys and --midi-transpose after its -e say what of it. Effects behind an instrument are
        its own, and those behind the last instrument are on the mix of all. OUT has two channels and 48000 Hz, unless --rate says
        another rate. It is as long as the song and the tail.

        What is odd about the sound is said in one sentence and in the report: the output is silent although the input is not,
        samples were clipped, an effect changed nothing, a side chain is not connected. With --strict the exit status is 1 then.

        With --output-folder each IN is rendered into DIR under its own name, several at once, each by a process of its own: what
        goes wrong with one file costs that file alone. The sound does not depend on --jobs. A file that was rendered before is
        skipped while its input, its output, the arguments, the effects and this program are as they were then; DIR has a file
        that remembers them, `.bulkhead-render.json`. So a batch that was stopped goes on where it was.

        Each file has a line: of text on a terminal, and else of JSON, with `input`, `output`, `status` (rendered, skipped or
        failed), `seconds` of sound, `wallSeconds` of work, `findings`, `faults`, `replacedBlocks`, `exitStatus`, and `error`, the
        sentence that says why it failed. The exit status is 1 if a file failed, and 75 if all that failed did so for reasons that
        may pass: no memory, no room on the disk, too many processes or open files. Then try the same again.
        """
    static let examples = [
        "drums.wav out.flac -e Distortion --preset \"Drums Lo-Fi\" -e Reverb --set mix=20",
        "pad.wav out.wav -e Filter --automate cutoff=0:200,8:8000 --report out.json",
        "song.mid song.flac -e Sampler --midi-channels 1,2 -e Sampler --midi-channels 10 -e Reverb",
        "--output-folder out --extension flac --jobs 4 -e Reverb --set mix=20 -- a.wav b.wav",
    ]

    private var files: [String] = []
    private var render = FileRender()
    private var batch = BatchArguments()
    /// The words for each process of a batch, besides its file.
    private var words: [String] = []
    private var isServed = false

    mutating func take(_ operand: String) -> Bool {
        files.append(operand)
        return true
    }

    mutating func finish(_ arguments: Arguments) throws(CommandError) {
        // Of many files, one whose name is not UTF-8 fails by itself.
        let rendered = batch.folder == nil ? [] : files
        if let word = arguments.original.first(where: { ArgumentBytes.isMarked($0) && !rendered.contains($0) }) {
            throw ArgumentBytes.refusal(of: word)
        }
        guard batch.folder != nil else { return try finishOne(arguments) }
        guard !files.isEmpty else { throw arguments.usage("Say which files to read.") }
        guard !files.contains("-") else { throw arguments.usage("With --output-folder each IN is a file, not standard input.") }
        guard render.tracePath == nil else { throw arguments.usage("--trace is for one file; leave --output-folder out.") }
        guard render.reportPath == nil else {
            throw arguments.usage("--report is for one file; with --output-folder the lines on standard output are the report.")
        }
        words = FileRender.words(in: arguments, of: Self.table)
    }

    private func finishOne(_ arguments: Arguments) throws(CommandError) {
        if let option = batch.first {
            throw arguments.usage("\(option) is for many files; say where they go with --output-folder.")
        }
        if files.count > 2 { throw arguments.usage("\"\(files[2])\" is one argument too many.") }
        guard files.count == 2 else { throw arguments.usage("Say which file to read and which to write.") }
    }

    func run() throws {
        if isServed { return try ServedRender.run(render, files[0], files[1]) }
        guard let folder = batch.folder else { return try render.run(files[0], into: files[1]) }
        let files = try BatchFiles(files, in: folder, as: batch.fileExtension, keeping: render.chain.files).files
        try RenderBatch(files, folder, render, words, batch).run()
    }
}
