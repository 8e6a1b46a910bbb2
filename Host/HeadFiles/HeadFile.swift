// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the responses of a head from a file. Control thread.

import Glibc
import LinuxSystem
import Printing
import Spatial

/// Reads heads from files in the format SOFA (AES69), convention SimpleFreeFieldHRIR.
///
/// A confined process parses the file. The numbers that it hands over are checked before they are used.
public enum HeadFile {
    /// The head that is used if a program chooses none: KEMAR, measured by Gardner and Martin at MIT, as Debian's libmysofa1 installs it.
    public static let standardPath = "/usr/share/libmysofa/default.sofa"

    /// `[control]` Reads a file; it takes a fraction of a second.
    ///
    /// Throws the file's name and the reason why it cannot be used.
    public static func read(_ path: String) throws(HeadSetError) -> HeadMeasurements {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else {
            let reason = SystemError("open a head").reason
            let install = "Install it with `sudo apt install libmysofa1`, or choose another head."
            let remedy = path == standardPath ? install : "Check the path."
            throw HeadSetError(path, reason, remedy: remedy)
        }
        let file = Descriptor(owning: number)
        let table: HeadFileTable
        do throws(HeadReaderFault) { table = try HeadReaderProcess.read(file) } catch { throw refusal(path, error) }
        if table.header.isRefusal { throw refusal(path, table.header) }
        return try table.measurements(named: path)
    }

    private static func refusal(_ path: String, _ fault: HeadReaderFault) -> HeadSetError {
        switch fault {
        case .missing(let places):
            HeadSetError(
                path, "its reader is not at \(places.joined(separator: " or "))",
                remedy: "Build it with `make`, or install Bulkhead again.")
        case .system(let error): HeadSetError(path, "its reader did not start: \(error)", remedy: "")
        case .broken: HeadSetError(path, "the process that reads it ended early, so the file is probably damaged")
        case .late(let seconds): HeadSetError(path, "it was not read within \(seconds) s")
        case .tooLarge: HeadSetError(path, "it is larger than a head may be")
        }
    }

    private static func refusal(_ path: String, _ header: HeadReaderHeader) -> HeadSetError {
        let said = PrintableText.cleaned(header.convention)
        return HeadSetError(path, said.isEmpty ? "libmysofa cannot read it as SOFA (its error \(header.errorCode))" : said)
    }
}
