// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The size of a view. Any thread.

/// A size of a view in cells.
public struct ViewSize: Hashable, Sendable {
    /// The width in columns.
    public var columnCount: Int
    /// The height in rows.
    public var rowCount: Int

    /// Makes a size.
    public init(columnCount: Int, rowCount: Int) { (self.columnCount, self.rowCount) = (columnCount, rowCount) }
}
