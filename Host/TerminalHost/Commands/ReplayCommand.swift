// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead replay: renders a captured performance again, to the same bits. Main thread.

import PluginHosting

struct ReplayCommand: Command {
    static let name = "replay"
    static let summary = "renders a captured performance again, to the same bits"
    static let synopsis = "FOLDER OUT [--block-size N]"
    static let operands = [Operand("FOLDER", .folder), Operand("OUT", .file)]
    static var table: [OptionReader<Self>] {
        ChainArguments.table.filter { $0.option.name == "--allow" }.lifted(to: \Self.chain) + [
            .integer("--block-size", "N", in: 1...8192, "Frames in a block, from 1 to 8192", default: "8192") {
                $0.blockSize = $1
            }
        ]
    }
    static let details = """
        `bulkhead live --capture FOLDER` and `play --capture FOLDER` keep a performance: the session as it began, what came in at each bus, what
        was heard, and each MIDI message, edit, scene and change of a parameter, a level or a bypass with the frame at which it was heard.
        `replay` renders it offline into OUT, whose name's end chooses the format. The sound is compared with what was heard: the
        exit status is 0 if all bits are the same. The block size makes no difference. WAV, AIFC, CAF, W64 and AU files hold each bit; other
        formats round or compress what was rendered, and the command says so.

        The status is 1, and a sentence says why, where the sound cannot be the same: a block was replaced because an effect was late or
        had died; players or MIDI files came or went, a side chain's port was linked, or a plug-in's own preset was chosen, where the replay
        ends; a plug-in is another version, or uses chance; the graph led to a further bus of the output, whose sound is not kept. Other
        edits, scenes and presets are repeated.

        Units have the rights that you gave them for the performance. They lose them if somebody changed the capture, or if their plug-in
        has changed. The command then asks, or wants --allow.
        """
    static let examples = ["take out.wav", "take out.flac --block-size 64"]

    private var files: [String] = []
    private var chain = ChainArguments()
    private var blockSize = 8192

    mutating func take(_ operand: String) -> Bool {
        files.append(operand)
        return files.count <= 2
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard !files.isEmpty else { throw arguments.usage("Say which folder holds the performance.") }
        guard files.count == 2 else { throw arguments.usage("Say which file to write.") }
    }

    func run() throws {
        let performance = try CapturedPerformance(files[0])
        let (folder, graph) = (performance.folder, performance.file.graph)
        let buses = graph.inputBuses.indices.map { folder.input(ofBus: $0 + 1) }
        let kept = [folder.session, folder.facts, folder.events, folder.input, folder.output] + buses
        try OutputFiles(inputs: kept + graph.namedFiles).check([files[1]], Self.usage)
        try Replay(performance: performance, output: files[1], blockSize: blockSize, allowances: chain.allowances).run()
    }
}
