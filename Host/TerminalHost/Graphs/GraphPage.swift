// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A graph as lines of text, in the order of the sound. Any thread.

import Console
import GraphDocuments
import PluginHosting
import Printing

/// A graph as text for a terminal.
struct GraphPage {
    let lines: [StyledText]
    private static let width = 80
    private static let longestName = 24

    init(_ name: String, _ document: GraphDocument) {
        var lines = [Self.line("\(name): \(Self.summary(of: document))")]
        let following = Dictionary(grouping: document.connections, by: \.from.node)
        let column = min(Self.longestName, max(6, document.nodes.map(\.id.count).max() ?? 6))
        let leadsOut = document.leadsOut
        for place in document.order {
            let id = document.name(at: place)
            let node = place < document.nodes.count ? document.nodes[place] : nil
            let title = node.map { Self.title($0) } ?? Self.title(ofOwn: id, document)
            lines += ["", Self.line("\(Self.clean(id, column).padded(to: column))  \(title)")]
            if case .player(let player)? = node?.kind { lines += player.files.map { Self.line("  \(Self.text(of: $0))") } }
            if case .environment(let environment)? = node?.kind, let reverb = environment.reverb {
                lines.append(Self.line("  \(Self.text(of: reverb))"))
            }
            lines += (following[id] ?? []).map { Self.line("  → \($0.to)\(Self.level($0.volume, $0.pan))") }
            if id == GraphDocument.mainID, !leadsOut { lines.append("  → \(GraphDocument.outputID)") }
        }
        if let midi = document.midi { lines += ["", "MIDI"] + Self.text(of: midi).map { Self.line("  \($0)") } }
        self.lines = lines.map { StyledText($0) }
    }

    /// Files, ports and routes, each on a line.
    private static func text(of midi: GraphDocument.MIDI) -> [String] {
        let files = midi.files.map { "file \($0.id): \($0.path)" }
        let ports = midi.ports.map { "port \($0.id)" + ($0.name.map { ": \($0)" } ?? "") }
        let routes = midi.routes.map { route in
            [
                "\(route.from ?? "all") → \(route.to)", route.track.map { "track \($0)" },
                route.port.map { "port \($0)" },
                route.channels.map { "channels \($0.map(String.init).joined(separator: ", "))" },
                route.keys.map { "keys \($0.map(String.init).joined(separator: " to "))" },
                route.transpose.map { "transposed by \($0)" }, route.toChannel.map { "to channel \($0)" },
                route.cable.map { "on cable \($0)" },
            ].compactMap(\.self).joined(separator: ", ")
        }
        return files + ports + (routes.isEmpty ? ["all → every instrument"] : routes)
    }

    /// The counts of nodes and connections.
    static func summary(of document: GraphDocument) -> String {
        func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        let kinds = GraphDocument.Kind.words.compactMap { word -> String? in
            let number = document.nodes.count { $0.kind.word == word }
            return number == 0 ? nil : count(number, word)
        }
        let list = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
        return "\(count(document.nodes.count, "node"))\(list), \(count(document.connections.count, "connection"))"
    }

    private static func title(_ node: GraphDocument.Node) -> String {
        let what =
            switch node.kind {
            case .player: "player"
            case .mixer(let volume): "mixer\(volume == 1 ? "" : ", output volume \(Decimal.shortest(volume))")"
            case .environment(let environment): "environment" + Self.text(of: environment)
            case .unit(let unit): "unit  \(unitText(unit.saved))" + (unit.preset.map { ", preset \($0)" } ?? "")
            case .input: "input"
            }
        return what + level(node.volume, node.pan) + (node.position.map { ", at \(text(of: $0))" } ?? "") + text(of: node.placement)
    }

    private static func text(of environment: GraphDocument.Environment) -> String {
        let volume = environment.outputVolume == 1 ? "" : ", output volume \(Decimal.shortest(environment.outputVolume))"
        let angles = [environment.yaw, environment.pitch, environment.roll]
        let turn = angles == [0, 0, 0] ? "" : ", turned by \(angles.map { Decimal.shortest($0) }.joined(separator: ", "))°"
        let place = environment.path.map { "on \(text(of: $0))" } ?? "at \(text(of: environment.listener))"
        let parts = [
            environment.headPoses.map { "turned as \($0.path) says" }, environment.head.map { "head \($0)" },
            environment.outputType.map { "to \($0.word)" },
            environment.distance.map { "\($0.model.word) distance" },
            environment.air.map { "air of \(Decimal.shortest($0.temperature)) °C, \(Decimal.shortest($0.humidity)) %" },
            environment.hasDoppler ? "Doppler" : nil,
        ]
        return "\(volume), listener \(place)\(turn)" + parts.compactMap(\.self).map { ", \($0)" }.joined()
    }

    private static func text(of reverb: GraphDocument.Reverb) -> String {
        let level = reverb.level == 0 ? "" : ", \(Decimal.shortest(reverb.level)) dB"
        let filter = reverb.filter.map { ", \($0.type.word) at \(Decimal.shortest($0.frequency)) Hz" } ?? ""
        return "reverb \(reverb.preset.word)\(level)\(filter)"
    }

    private static func text(of placement: GraphDocument.Placement) -> String {
        let parts = [
            placement.path.map { "on \(text(of: $0))" }, placement.algorithm.map(\.word), placement.mode.map(\.word),
            placement.inHeadMode.map { "\($0.word) in the head" },
            placement.obstruction.map { "obstruction \(Decimal.shortest($0)) dB" },
            placement.occlusion.map { "occlusion \(Decimal.shortest($0)) dB" },
            placement.reverbBlend.map { "reverb blend \(Decimal.shortest($0))" },
        ]
        return parts.compactMap(\.self).map { ", \($0)" }.joined()
    }

    private static func text(of path: GraphDocument.Path) -> String {
        let seconds = (path.points.last?.time ?? 0) - (path.points.first?.time ?? 0)
        let rounds = path.repeats == 1 ? "" : ", \(path.repeats) times"
        return "a way of \(path.points.count) points in \(Decimal.shortest(seconds)) s\(rounds)"
    }

    private static func text(of place: GraphDocument.Place) -> String {
        [place.x, place.y, place.z].map { Decimal.shortest($0) }.joined(separator: ", ") + " m"
    }

    private static func title(ofOwn id: String, _ document: GraphDocument) -> String {
        guard id == GraphDocument.mainID, let volume = document.mainVolume else { return "" }
        return "output volume \(Decimal.shortest(volume))"
    }

    static func unitText(_ unit: SavedUnit) -> String {
        unit.name == unit.id ? unit.id : "\(unit.name) (\(unit.id))"
    }

    private static func level(_ volume: Double?, _ pan: Double?) -> String {
        (volume.map { ", volume \(Decimal.shortest($0))" } ?? "") + (pan.map { ", pan \(Decimal.shortest($0))" } ?? "")
    }

    private static func text(of piece: GraphDocument.Piece) -> String {
        [
            piece.path, piece.start.map { "at \(Decimal.shortest($0)) s" },
            piece.from == 0 ? nil : "from \(Decimal.shortest(piece.from)) s",
            piece.length.map { "for \(Decimal.shortest($0)) s" }, piece.repeats == 1 ? nil : "\(piece.repeats) times",
            piece.loops ? "for ever" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }

    private static func line(_ text: String) -> String { clean(text, width).trimmed }

    private static func clean(_ text: String, _ width: Int) -> String { PrintableText.shown(text).cut(to: width) }
}

extension String {
    /// The text without spaces at its end.
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
