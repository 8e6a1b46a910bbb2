// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arrangement of several instances' pictures: beside or below each other, with a name for each. The view's thread.

import PluginSDK
import ViewKit

/// The positions of the instances' pictures in a part of the view.
struct PictureArrangement: Equatable {
    private enum Kind {
        /// A single instance's picture has all the room.
        case alone
        /// There is only room for the first picture, below a line that says so.
        case firstAlone
        /// Side by side below their names.
        case beside
        /// Below each other, after their names.
        case below
    }

    private let kind: Kind
    /// The channels of the instances, as a word for each.
    let names: [String]

    /// The empty cells between two pictures.
    private static let (columnGap, rowGap) = (2, 1)
    /// The smallest useful picture of several.
    private static let (fewestColumns, fewestRows) = (12, 4)

    /// Chooses the arrangement with the largest pictures.
    init(_ names: [String], in part: CellRectangle) {
        self.names = names
        guard names.count > 1 else {
            kind = .alone
            return
        }
        let sizes = [Kind.beside, .below].map { (kind: $0, size: Self.pictureSize($0, names, part)) }
        let fitting = sizes.filter { $0.size.columnCount >= Self.fewestColumns && $0.size.rowCount >= Self.fewestRows }
        // A cell is twice as high as it is wide. Of two equally large arrangements, the first one is taken.
        kind = fitting.max { Self.side($0.size) < Self.side($1.size) }?.kind ?? .firstAlone
    }

    private static func side(_ size: CellRectangle) -> Int { min(size.columnCount, 2 * size.rowCount) }

    /// The number of pictures that are drawn.
    var pictureCount: Int { isJoint ? names.count : 1 }
    var isBeside: Bool { kind == .beside }
    private var isJoint: Bool { kind == .beside || kind == .below }

    /// The cells of all pictures, without those of the names.
    func region(of part: CellRectangle) -> CellRectangle { Self.region(kind, names, part) }

    /// The size of one picture, in cells.
    func pictureSize(in part: CellRectangle) -> CellRectangle { Self.pictureSize(kind, names, part) }

    private static func region(_ kind: Kind, _ names: [String], _ part: CellRectangle) -> CellRectangle {
        switch kind {
        case .alone: return part
        case .firstAlone, .beside:
            return CellRectangle(
                column: part.column, row: part.row + 1, columnCount: part.columnCount, rowCount: part.rowCount - 1)
        case .below:
            let margin = margin(names)
            return CellRectangle(
                column: part.column + margin, row: part.row, columnCount: part.columnCount - margin, rowCount: part.rowCount)
        }
    }

    private static func margin(_ names: [String]) -> Int { 1 + (names.map { CellText($0).width }.max() ?? 0) }

    private static func pictureSize(_ kind: Kind, _ names: [String], _ part: CellRectangle) -> CellRectangle {
        var size = region(kind, names, part)
        let count = names.count
        if kind == .beside { size.columnCount = max(0, (size.columnCount - (count - 1) * columnGap) / count) }
        if kind == .below { size.rowCount = max(0, (size.rowCount - (count - 1) * rowGap) / count) }
        return size
    }

    /// The gap in pixels between two pictures of `length` pixels, each of which fills the cells of `part`.
    func gap(_ length: Int, in part: CellRectangle) -> Int {
        let size = pictureSize(in: part)
        return isBeside
            ? length * Self.columnGap / max(1, size.columnCount) : length * Self.rowGap / max(1, size.rowCount)
    }

    /// Writes the names beside the pictures in a place; each picture begins at a share of it.
    func drawNames(into grid: inout CellGrid, _ part: CellRectangle, _ place: CellRectangle, _ starts: [Double]) {
        switch kind {
        case .alone: break
        case .firstAlone:
            let line = "\(names.first ?? ""); the view is too small for the others."
            grid.put(line, column: part.column, row: part.row, CellStyle([.dim]), width: part.columnCount)
        case .beside:
            let width = place.columnCount / max(1, names.count)
            for (name, start) in zip(names, starts) {
                let column = place.column + Int((start * Double(place.columnCount)).rounded())
                grid.put(name, column: column, row: place.row - 1, width: width)
            }
        case .below:
            for (name, start) in zip(names, starts) {
                grid.put(name, column: part.column, row: place.row + Int((start * Double(place.rowCount)).rounded()))
            }
        }
    }

    /// Writes the reasons for missing pictures in their places.
    func draw(_ reasons: [String?], into grid: inout CellGrid, _ place: CellRectangle, _ starts: [Double]) {
        for (reason, start) in zip(reasons, starts) {
            guard let reason else { continue }
            let column = isBeside ? Int((start * Double(place.columnCount)).rounded()) : 0
            let row = isBeside ? 0 : Int((start * Double(place.rowCount)).rounded())
            let width = isBeside ? place.columnCount / max(1, names.count) : place.columnCount
            grid.put(reason, column: place.column + column, row: place.row + row, CellStyle([.dim]), width: width)
        }
    }
}
