// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file of a plot. Main thread.

import AudioFiles
import Drawing
import LinuxSystem

/// A path whose extension names the format.
package struct PlotFile {
    /// The path, as the user named it.
    package let path: String
    /// The format of the path's extension.
    package let format: PictureFormat

    /// Makes a plot file; nil unless the path ends in .svg or .png.
    package init?(path: String) {
        guard let format = PictureFormat(path: path) else { return nil }
        (self.path, self.format) = (path, format)
    }

    /// Throws if the file cannot be written, before time is spent on measuring.
    package func check() throws { _ = try ReplacementFile(path: path) }

    /// Draws the plot, and replaces the file once all of it is written.
    package func write(_ data: PlotData) throws { try write(try MeasurePlot(data).draw(as: format)) }

    /// Replaces the file by these bytes, once all of them are written.
    package func write(_ bytes: [UInt8]) throws {
        let file = try ReplacementFile(path: path)
        try Descriptor.write(bytes, to: file.descriptor, "write \"\(path)\"")
        try file.commit()
    }
}
