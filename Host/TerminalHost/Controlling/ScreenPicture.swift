// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Draws the screen of a host as a picture, without a terminal. Main thread.

import AudioFiles
import Cells
import Control
import Glibc
import LinuxSystem
import Measuring
import Screen
import Views

/// Draws the screen of a host into a file.
enum ScreenPicture {
    /// The time that the host has to answer all requests, in seconds.
    private static let patience = 3.0

    /// Writes the screen of that size into a file that ends in .svg, .png or .txt.
    ///
    /// The screen chooses `node`, or its first unit; with `showsView` it shows the unit's view.
    static func write(
        _ address: ControlAddress, columns: Int, rows: Int, node: String?, showsView: Bool, to path: String
    ) throws {
        let client = try ScreenClient(address)
        // Text shows no colours.
        client.colorCount = PlotFile(path: path) == nil ? 0 : 1 << 24
        var state = ScreenState()
        (state.columnCount, state.rowCount, state.showsViews) = (columns, rows, showsView)
        if let node { state.choose(node) }
        let start = MonotonicClock.now()
        // All answers come within a moment; meters and loads need some cycles.
        while Double(MonotonicClock.now() - start) / 1e9 < patience {
            client.receive()
            guard !client.isClosed else { throw CommandError.failed("The host \"\(address.name)\" has ended.") }
            client.follow(&state)
            client.advance()
            Descriptor.awaitAny([client.stream.descriptor], nanoseconds: 30_000_000)
        }
        if let node, client.model.node(node) == nil {
            throw CommandError.failed("The host \"\(address.name)\" has no node \"\(node)\".")
        }
        var grid = CellGrid(columnCount: columns, rowCount: rows)
        ScreenPainter.draw(client.model, state, into: &grid)
        guard let file = PlotFile(path: path) else { return try ReplacementFile.replace(path, with: grid.text + "\n") }
        try file.write(try CellPicture.file(of: grid, isVector: file.format == .svg))
    }
}
