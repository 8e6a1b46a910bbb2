// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The files for a graph's input: one for the main bus, and one for each further bus. Main thread; then the thread that renders.

import AudioFiles
import AudioGraph
import GraphDocuments
import PluginHosting
import Rendering

/// The files for a graph's input, opened and checked.
struct GraphInputs {
    /// The file of the main input.
    let main: FileInput?
    let mainFormat: AudioFileFormat?
    /// The reader of the main input, whose encoding the output takes.
    let mainReader: AudioFileReader?
    /// The files of the further buses, and the buses.
    private let further: [(bus: DriverBus, file: FileInput?, channelCount: Int)]
    private let formats: [AudioFileFormat]

    /// Opens the files: `path` for the main input, and `wishes` of the form NAME=FILE for the further buses.
    init(of document: GraphDocument, named graph: String, path: String?, wishes: [String]) throws {
        guard document.readsInput || path == nil else {
            throw CommandError.failed("The graph \"\(graph)\" has no input; leave --input out.")
        }
        if path == nil, document.hearsMainInput {
            throw CommandError.failed("The graph \"\(graph)\" has an input; say what comes in: --input IN.")
        }
        mainReader = try path.map { try AudioFileReader(path: $0, takesPipes: true) }
        (main, mainFormat) = (mainReader.map { FileInput($0) }, mainReader?.format)
        let paths = try BusFiles.paths(wishes, of: document.inputBuses, "input", graph)
        var formats = [mainFormat].compactMap(\.self)
        further = try document.inputBuses.map { bus in
            guard let path = paths[bus.name] else {
                guard document.idleInputBuses.contains(bus.name) else {
                    throw CommandError.failed(
                        "The graph \"\(graph)\" has the input bus \"\(bus.name)\"; say what comes in: --input-bus \(bus.name)=FILE."
                    )
                }
                return (bus, nil, 0)
            }
            let reader = try AudioFileReader(path: path, takesPipes: true)
            let count = reader.format.channelCount
            guard count == 1 || count == bus.channelCount else {
                throw CommandError.failed(
                    "\"\(path)\" has \(count) channels, and the input bus \"\(bus.name)\" has \(bus.channelCount); a file of one "
                        + "channel or of as many fits.")
            }
            formats.append(reader.format)
            return (bus, FileInput(reader), count)
        }
        self.formats = formats
    }

    /// Takes open files: the main one, and one for each further bus with the same number of channels.
    init(main reader: AudioFileReader, further files: [(DriverBus, AudioFileReader)]) {
        mainReader = reader
        (main, mainFormat) = (FileInput(reader), reader.format)
        further = files.map { bus, reader in (bus, FileInput(reader), bus.channelCount) }
        formats = [reader.format] + files.map(\.1.format)
    }

    /// A rate that differs from the graph's; nil if all files have the graph's.
    func otherRate(than rate: Double) -> Double? { formats.map(\.sampleRate).first { $0 != rate } }

    /// The rate of the files; nil without files.
    var sampleRate: Double? { formats.first?.sampleRate }

    /// Connects the files to an engine's input, which without a main file has at most as many channels as its output.
    func connect(to engine: AudioEngine, _ format: AudioFormat) {
        guard main != nil || !further.isEmpty else { return }
        let mainCount = mainFormat?.channelCount ?? format.channelCount
        engine.inputNode.setManualRenderingInputPCMFormat(
            AudioFormat(sampleRate: format.sampleRate, channelCount: mainCount, layout: mainFormat?.channelLayout)
        ) { [main, further] block in
            let part = AudioBlock(channels: block.channels, channelCount: mainCount, frameCount: block.frameCount)
            if let main { _ = main.fill(part) } else { part.silence() }
            var start = mainCount
            for (bus, file, count) in further {
                Self.fill(block, start, bus.channelCount, file, count)
                start += bus.channelCount
            }
            return true
        }
    }

    /// Fills the channels of one bus; a file of one channel goes to all of them.
    private static func fill(_ block: AudioBlock, _ start: Int, _ busCount: Int, _ file: FileInput?, _ fileCount: Int) {
        let frames = block.frameCount
        let bus = AudioBlock(channels: block.channels + start, channelCount: busCount, frameCount: frames)
        guard let file else { return bus.silence() }
        _ = file.fill(AudioBlock(channels: bus.channels, channelCount: fileCount, frameCount: frames))
        for channel in fileCount..<max(fileCount, busCount) { bus[channel].update(from: bus[0], count: frames) }
    }
}

extension GraphInputs {
    private var files: [FileInput] { [main].compactMap(\.self) + further.compactMap(\.file) }

    /// The frames of the longest file.
    var frameCount: Int { files.map(\.frameCount).max() ?? 0 }

    /// True if any input so far was not silent; always true without files.
    var isAudible: Bool { files.isEmpty || files.contains(where: \.isAudible) }

    /// The samples so far that were NaN or infinite, and were replaced by 0.
    var invalidSampleCount: Int { files.reduce(0) { $0 + $1.invalidSampleCount } }

    /// Throws the reason why a file could not be read.
    func throwFailure() throws { for file in files { try file.throwFailure() } }
}
