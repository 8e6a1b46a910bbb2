// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A model of a host for tests, and keys as a sequence. Test thread.

import Cells
import Control
import JSON

@testable import Screen

/// A screen without a host and without a terminal.
struct ScreenBench {
    var model = ScreenModel()
    var state = ScreenState()

    /// A chain of three effects that plays.
    init(columns: Int = 80, rows: Int = 24) {
        (state.columnCount, state.rowCount) = (columns, rows)
        model.take(status: Self.status(["Gain", "Delay", "Reverb"]))
        for index in model.nodes.indices where model.nodes[index].isUnit {
            model.nodes[index].load = ScreenLoad(mean: 12.5 * Double(index), worst: 20 * Double(index))
        }
        model.meters.take([0.25, 0.5])
        for node in model.nodes { model.parameters[node.id] = ScreenModel.levels(of: node) }
        model.parameters["Reverb"] = Self.reverbParameters
        model.plugins = [
            ScreenPlugin(id: "aufx:dlay:blkh", name: "Delay", manufacturer: "Bulkhead"),
            ScreenPlugin(id: "aumu:samp:blkh", name: "Sampler", manufacturer: "Bulkhead"),
            ScreenPlugin(id: "lv2:http://plugin.org.uk/swh-plugins/delayorama", name: "Delayorama", manufacturer: "Steve Harris"),
        ]
        state.choose("Reverb")
        state.settle(model)
    }

    static func unit(_ name: String, _ members: [String: JSONValue] = [:]) -> JSONValue {
        let usual: [String: JSONValue] = [
            "id": .text(name), "kind": "unit", "name": .text(name), "state": "running", "process": 4711.0, "late": 0.0,
            "restarts": 0.0, "plugin": .text("aufx:\(name.lowercased().prefix(4)):blkh"), "latencyFrames": 0.0,
        ]
        return .object(usual.merging(members) { $1 })
    }

    static func status(_ units: [String], connections: [String]? = nil) -> JSONValue {
        let chain = ["input"] + units + ["main"]
        let links = connections ?? zip(chain, chain.dropFirst()).map { "\($0) → \($1)" }
        return .object([
            "host": "live", "sampleRate": 48000.0, "quantum": 256.0, "xruns": 0.0, "latencyFrames": 96.0, "isRunning": true,
            "scenes": .list(["Verse", "Chorus"]), "scene": "Verse",
            "nodes": .list([.object(["id": "input", "kind": "input"])] + units.map { unit($0) }),
            "connections": .list(links.map { .text($0) }),
        ])
    }

    private static var reverbParameters: [ScreenParameter] {
        var decay = ScreenParameter(path: "Reverb.decay", name: "Decay")
        (decay.minimum, decay.maximum, decay.value, decay.defaultValue) = (0.1, 20, 1.5, 1.5)
        (decay.text, decay.isLogarithmic) = ("1.5 s", true)
        var mix = ScreenParameter(path: "Reverb.mix", name: "Mix")
        (mix.maximum, mix.value, mix.defaultValue, mix.text) = (100, 30, 30, "30 %")
        var freeze = ScreenParameter(path: "Reverb.freeze", name: "Freeze")
        (freeze.choices, freeze.text) = (["off", "on"], "off")
        var kind = ScreenParameter(path: "Reverb.kind", name: "Kind")
        (kind.choices, kind.maximum, kind.value, kind.text) = (["Room", "Hall", "Plate"], 2, 1, "Hall")
        var tilt = ScreenParameter(path: "Reverb.tilt", name: "Tilt")
        (tilt.minimum, tilt.maximum, tilt.value, tilt.text) = (-12, 12, -6, "-6 dB")
        return [decay, mix, freeze, kind, tilt]
    }

    mutating func press(_ keys: ScreenKey...) -> [ScreenAction] {
        keys.flatMap { state.handle($0, model) }
    }

    mutating func type(_ text: String) -> [ScreenAction] {
        text.unicodeScalars.flatMap { state.handle(.character($0), model) }
    }

    /// The screen as text.
    var text: String { grid.text }

    var grid: CellGrid {
        var grid = CellGrid(columnCount: state.columnCount, rowCount: state.rowCount)
        ScreenPainter.draw(model, state, into: &grid)
        return grid
    }
}
