// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A program that takes the role of a case's process. Test thread.

import FoundationEssentials
import Glibc

/// A shell script in a file, which is removed with the object.
///
/// Its descriptor 3 is the socket for a report.
final class FakeCase {
    let path = "/tmp/bulkhead-fake-case-\(getpid())-\(UInt32.random(in: 0 ... .max)).sh"

    init(_ script: String) throws {
        try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o755)
    }

    deinit { unlink(path) }
}
