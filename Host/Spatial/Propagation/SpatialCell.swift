// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Fixes the length of time over which values in space move in straight lines. Any thread.

/// A cell of time: values in space are calculated at its end, and move there in a straight line.
///
/// Cells do not depend on the cycles of a driver, so blocks of any length sound the same.
public enum SpatialCell {
    /// The frames of a cell.
    public static var frameCount: Int { @_noLocks get { 64 } }

    /// The cells over which a changed value glides: about 20 ms.
    @_noLocks
    static func glideCellCount(glideFrameCount: Int) -> Int { max(1, (glideFrameCount &+ frameCount / 2) / frameCount) }
}
