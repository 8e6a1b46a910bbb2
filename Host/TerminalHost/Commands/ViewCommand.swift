// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead view: shows a plug-in's view alone, on the terminal, as text or as a picture. Main thread.

import AudioFiles
import AudioFormats
import AudioGraph
import AudioUnits
import Cells
import Console
import LinuxSystem
import Measuring
import PluginHosting
import Realtime
import Synchronization
import ViewChannel
import Views

struct ViewCommand: Command {
    static let name = "view"
    static let summary = "shows a plug-in's view, and saves it as a picture"
    static let synopsis = "ID [--size COLUMNSxROWS] [--set PATH=VALUE]... [--input FILE] [--picture OUT] [--plain]"
    static let operands = [Operand("ID", .plugin)]
    static var table: [OptionReader<Self>] {
        [
            .text("--size", "COLUMNSxROWS", "Draw it so large, in characters", default: "what the plug-in likes, or 60x16") {
                $0.size = try Self.size($1)
            },
            .text("--set", "PATH=VALUE", "Set a parameter before") { $0.settings.append($1) },
            .text("--input", "FILE", offering: .file, "Play the beginning of this sound, or of a MIDI file, to it before") {
                $0.input = $1
            },
            .text("--picture", "OUT", offering: .file, "Save it as OUT.svg, OUT.png or OUT.txt instead of printing it") {
                $0.picture = $1
            },
            .flag("--plain", "Print it once, also on a terminal") { $0.isPlain = true },
            .flag("--parameters", "Show the host's own view of the parameters, also if the plug-in draws one") { $0.isOwn = true },
        ]
    }
    static let details = """
        On a terminal the view stays until Ctrl-C, and takes keys and the mouse. Elsewhere it is printed once.

        A view is a picture in characters that a plug-in draws in its own process. A plug-in without one is shown by its
        parameters. A view that does not draw within five seconds is an error. bulkhead-views(7) tells the keys of
        our own views.

        Many LV2 plug-ins draw a small picture of themselves. A terminal with sixels shows it in pixels, any other one in
        blocks of two colours. The first parameters are below. Up and down choose one, left and right change it, and Delete sets its default.
        """
    static let examples = [
        "Filter", "Filter --set cutoff=300 --input song.flac --picture filter.png", "Synth --input song.mid --size 90x8",
    ]

    private var id: String?
    private var size: ViewSize?
    private var settings: [String] = []
    private var input: String?
    private var picture: String?
    private var isOwn = false
    private var isPlain = false

    /// The seconds of sound that the plug-in gets.
    private static let playedSeconds = 2.0

    mutating func take(_ operand: String) -> Bool {
        guard id == nil else { return false }
        id = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        if id == nil { throw arguments.usage("Say which plug-in: an ID such as aufx:filt:blkh, or a name.") }
        if let picture, PlotFile(path: picture) == nil, !picture.lowercased().hasSuffix(".txt") {
            throw arguments.usage("--picture takes the name of a file that ends in .svg, .png or .txt, not \"\(picture)\".")
        }
    }

    static func size(_ text: String) throws(CommandError) -> ViewSize {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1], (1...500).contains(columns),
            (1...200).contains(rows)
        else { throw usage("--size takes columns and rows such as 80x24, at most 500x200, not \"\(text)\".") }
        return ViewSize(columnCount: columns, rowCount: rows)
    }

    func run() throws {
        try OutputFiles(inputs: input.map { [$0] } ?? []).check([picture], Self.usage)
        let id = self.id ?? ""
        let registry = try InstalledPlugins.registry(wanting: [id])
        let unit = PluginUnit(try HostedUnit(try registry.component(named: id)))
        for setting in settings { try set(setting, of: unit) }
        if picture == nil, size == nil, !isPlain, Terminal.isInteractive {
            if let input { try play(input, through: unit) }
            return try ViewScreen.show(unit, isOwn: isOwn)
        }
        let grid = try grid(of: unit)
        guard let picture else { return Terminal.print(grid.text) }
        guard let file = PlotFile(path: picture) else { return try ReplacementFile.replace(picture, with: grid.text + "\n") }
        try file.write(try CellPicture.file(of: grid, isVector: file.format == .svg))
    }

    private func set(_ setting: String, of unit: PluginUnit) throws {
        guard let equals = setting.firstIndex(of: "=") else { throw Self.usage("--set takes PATH=VALUE, not \"\(setting)\".") }
        let (path, text) = (String(setting[..<equals]), String(setting[setting.index(after: equals)...]))
        guard let parameter = unit.parameterTree[keyPath: path] else {
            throw CommandError.failed(
                "\(unit.name) has no parameter \"\(path)\". List them with: bulkhead info \(ShellWord.quoted(id ?? ""))")
        }
        guard let value = parameter.value(from: text) else {
            throw CommandError.failed("\"\(text)\" is no value of \(path). See: bulkhead info \(ShellWord.quoted(id ?? ""))")
        }
        try unit.setValue(value, of: path)
    }

    // MARK: The picture

    private func grid(of unit: PluginUnit) throws -> CellGrid {
        guard unit.hosted.hasView, !isOwn else { return parameters(of: unit) }
        let seen = Seen()
        let first = size ?? ViewSize(columnCount: 60, rowCount: 16)
        let colorCount = colorCount
        let view = try HostedView(of: unit.hosted, size: first, colorCount: colorCount) { seen.take($0) }
        defer { view.close() }
        _ = try seen.wait(unit.name)
        let wanted = size ?? view.preferredSizes.first ?? first
        if wanted != first { view.resize(to: wanted, colorCount: colorCount) }
        if let input { try play(input, through: unit) } else { SilentBlocks(unit)?.render() }
        // The sound shows in the next pictures, and motion settles.
        return try seen.settle(unit.name, wanted)
    }

    /// The number of colours: all in a picture, none in text.
    private var colorCount: Int { picture.flatMap(PlotFile.init(path:)) == nil ? 0 : 1 << 24 }

    private func parameters(of unit: PluginUnit) -> CellGrid {
        let count = unit.parameterTree.parameters.count
        let size = size ?? ViewSize(columnCount: 60, rowCount: max(1, min(60, count)))
        var grid = CellGrid(columnCount: size.columnCount, rowCount: size.rowCount)
        var view = ParameterView(unit.parameterTree)
        view.draw(into: &grid, isFocused: false) { unit.parameterValues[$0] ?? .nan }
        return grid
    }

    /// Plays the start of a file through the unit, so that the view has sound to show.
    private func play(_ path: String, through unit: PluginUnit) throws {
        let takesMIDI = unit.hosted.description.flags.contains(.midiInput)
        if MIDISongFile.isMIDI(path), takesMIDI { return try play(try MIDISongFile(path: path), to: unit) }
        guard !unit.hosted.description.inputs.isEmpty else {
            throw CommandError.failed("\(unit.name) takes no sound. Give --input a MIDI file, not \"\(path)\".")
        }
        guard !MIDISongFile.isMIDI(path) else {
            throw CommandError.failed("\(unit.name) plays no notes. Give --input a sound file, not \"\(path)\".")
        }
        let reader = try AudioFileReader(path: path)
        let channelCount = reader.format.channelCount
        try unit.setFormat(AudioFormat(sampleRate: reader.format.sampleRate, channelCount: channelCount))
        unit.isRenderingOffline = true
        try unit.allocateRenderResources()
        let block = AudioBuffer(channelCount: channelCount, frameCapacity: 1024)
        let render = unit.renderBlock
        var left = Int(nearestFrame: Self.playedSeconds * reader.format.sampleRate)
        while left > 0 {
            let count = try reader.read(into: block.block(frameCount: 1024).channels, frameCount: min(1024, left))
            guard count > 0 else { return }
            render(block.block(frameCount: count), into: block.block(frameCount: count))
            left -= count
        }
    }
}

extension ViewCommand {
    /// Plays the start of a song on an instrument; each message comes at the next block.
    private func play(_ song: MIDISongFile, to unit: PluginUnit) throws {
        let rate = 48_000.0
        try unit.setFormat(AudioFormat(sampleRate: rate, channelCount: 2))
        unit.isRenderingOffline = true
        try unit.allocateRenderResources()
        let block = AudioBuffer(channelCount: 2, frameCapacity: 512)
        let render = unit.renderBlock
        var messages = song.messages(before: Self.playedSeconds)[...]
        for start in stride(from: 0, to: Int(nearestFrame: Self.playedSeconds * rate), by: 512) {
            while let next = messages.first, next.seconds * rate < Double(start + 512) {
                try unit.send(next.message)
                messages = messages.dropFirst()
            }
            render(block.block(frameCount: 512), into: block.block(frameCount: 512))
        }
    }
}

/// The last picture of a view.
private final class Seen: Sendable {
    private struct State {
        var grid: CellGrid?
        var count = 0
        var reason: String?
    }
    private let state = Mutex(State())

    func take(_ update: HostedView.Update) {
        state.withLock { state in
            switch update {
            case .picture(let grid): (state.grid, state.count) = (grid, state.count + 1)
            case .blank: break
            case .closed(let reason): state.reason = reason
            }
        }
    }

    /// Waits for the first picture, or for the first one of a size.
    func wait(_ name: String, _ size: ViewSize? = nil) throws -> CellGrid {
        for _ in 0..<1000 {
            let (grid, reason) = state.withLock { ($0.grid, $0.reason) }
            if let reason { throw CommandError.failed(reason) }
            if let grid, size == nil || size == ViewSize(columnCount: grid.columnCount, rowCount: grid.rowCount) { return grid }
            Futex.pause(microseconds: 5000)
        }
        let place = size.map { " at \($0.columnCount)x\($0.rowCount)" } ?? ""
        throw CommandError.failed("The view of \(name) has drawn nothing\(place) for five seconds.")
    }

    /// The picture of a size after a short time without a new one, or after a second.
    func settle(_ name: String, _ size: ViewSize) throws -> CellGrid {
        _ = try wait(name, size)
        var (count, quiet) = (-1, 0)
        for _ in 0..<100 where quiet < 15 {
            let now = state.withLock { $0.count }
            (count, quiet) = now == count ? (count, quiet + 1) : (now, 0)
            Futex.pause(microseconds: 10_000)
        }
        return try wait(name, size)
    }
}
