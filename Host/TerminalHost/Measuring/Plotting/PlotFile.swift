// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file that a plot is written to. Main thread.

import AudioFiles
import Drawing
import Glibc
import LinuxSystem

/// A path whose ending names the format.
struct PlotFile {
    let path: String
    let format: PictureFormat

    /// The path that follows an option.
    init(_ arguments: inout Arguments, _ option: String) throws(CommandError) {
        path = try arguments.value(of: option)
        guard let format = PictureFormat(path: path) else {
            throw arguments.usage("\(option) takes the name of a file that ends in .svg or .png, not \"\(path)\".")
        }
        self.format = format
    }

    /// Throws when the file cannot be written: sooner than the measuring takes.
    func check() throws { _ = try ReplacementFile(path: path) }

    /// Draws, and replaces the file once all of it has been written.
    func write(_ data: PlotData) throws {
        let bytes = try MeasurePlot(data).draw(as: format)
        let file = try ReplacementFile(path: path)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write \"\(path)\"") }
            rest = rest.dropFirst(count)
        }
        try file.commit()
    }
}
