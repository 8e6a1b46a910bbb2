// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A graph as a picture: boxes in columns, in the order of the sound, and curves between them. Any thread.

import GraphDocuments
import PluginHosting
import Printing

/// Draws a graph as an SVG, which follows the reader's light or dark preference.
struct GraphPicture {
    /// The picture as text.
    let text: String

    private static let (boxWidth, boxHeight, columnGap, rowGap, margin) = (170, 44, 70, 20, 16)
    private static let longestText = 24

    /// The position of a box.
    private struct Box {
        let x, y: Int
        var right: Int { x + GraphPicture.boxWidth }
        var middle: Int { y + GraphPicture.boxHeight / 2 }
    }

    init(_ name: String, _ document: GraphDocument) {
        let places = document.order
        let boxes = Self.boxes(document, places)
        let width = (boxes.values.map(\.right).max() ?? 0) + Self.margin
        let height = (boxes.values.map(\.y).max() ?? 0) + Self.boxHeight + Self.margin
        let curves = Self.connections(document).compactMap { wire -> String? in
            guard let from = boxes[wire.from], let to = boxes[wire.to] else { return nil }
            return Self.curve(from, to)
        }
        let drawn = places.compactMap { place in boxes[document.name(at: place)].map { Self.drawn($0, place, document) } }
        text = ([Self.opening(name, width, height)] + curves + drawn + ["</svg>", ""]).joined(separator: "\n")
    }

    /// All connections by names, including the one of every graph.
    private static func connections(_ document: GraphDocument) -> [(from: String, to: String)] {
        let own = document.connections.map { (from: $0.from.node, to: $0.to.node) }
        return own + (document.leadsOut ? [] : [(GraphDocument.mainID, GraphDocument.outputID)])
    }

    /// The boxes; each stands one column behind the last of its sources.
    private static func boxes(_ document: GraphDocument, _ places: [Int]) -> [String: Box] {
        let following = Dictionary(grouping: connections(document), by: \.from)
        var columns: [String: Int] = [:]
        for place in places {
            let name = document.name(at: place)
            let column = columns[name] ?? 0
            columns[name] = column
            for wire in following[name] ?? [] { columns[wire.to] = max(columns[wire.to] ?? 0, column + 1) }
        }
        var rows: [Int: Int] = [:]
        var boxes: [String: Box] = [:]
        for place in places {
            let name = document.name(at: place)
            let column = columns[name] ?? 0
            let row = rows[column] ?? 0
            rows[column] = row + 1
            boxes[name] = Box(x: margin + column * (boxWidth + columnGap), y: margin + row * (boxHeight + rowGap))
        }
        return boxes
    }

    private static func opening(_ name: String, _ width: Int, _ height: Int) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)">
        <title>\(escaped(name, limit: 200))</title>
        <style>
        rect { fill: #eef3f8; stroke: #2a6fb0 } path { fill: none; stroke: #777; stroke-width: 1.5 }
        text { font: 13px sans-serif; fill: #222 } .what { font-size: 11px; fill: #666 } .player { fill: #eaf5e8; stroke: #4a8a3f }
        .unit { fill: #fdf1e0; stroke: #b9791c }
        @media (prefers-color-scheme: dark) {
        rect, .player, .unit { fill: #222 } path { stroke: #999 } text { fill: #ddd } .what { fill: #aaa } }
        </style>
        """
    }

    private static func curve(_ from: Box, _ to: Box) -> String {
        let bend = max(30, (to.x - from.right) / 2)
        let start = "M\(from.right) \(from.middle)"
        let arrow = "M\(to.x - 7) \(to.middle - 4)L\(to.x) \(to.middle)L\(to.x - 7) \(to.middle + 4)"
        return
            "<path d=\"\(start)C\(from.right + bend) \(from.middle) \(to.x - bend) \(to.middle) \(to.x) \(to.middle)\(arrow)\"/>"
    }

    private static func drawn(_ box: Box, _ place: Int, _ document: GraphDocument) -> String {
        let node = place < document.nodes.count ? document.nodes[place] : nil
        let what =
            switch node?.kind {
            case .player(let player)?: player.files.map { FilePath.name(of: $0.path) }.joined(separator: ", ")
            case .unit(let unit)?: GraphPage.unitText(unit.saved)
            case .mixer?, .environment?, .input?: node?.kind.word ?? ""
            case nil: ""
            }
        let rectangle =
            "<rect class=\"\(node?.kind.word ?? "own")\" x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(boxWidth)\" "
            + "height=\"\(boxHeight)\" rx=\"6\"/>"
        let title = "<text x=\"\(box.x + 10)\" y=\"\(box.y + 19)\">\(escaped(document.name(at: place), limit: longestText))</text>"
        let detail = "<text class=\"what\" x=\"\(box.x + 10)\" y=\"\(box.y + 35)\">\(escaped(what, limit: longestText + 4))</text>"
        return rectangle + title + detail
    }

    /// Shortened text that an XML file may contain.
    private static func escaped(_ text: String, limit: Int) -> String {
        PrintableText.shown(text).cut(to: limit).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
