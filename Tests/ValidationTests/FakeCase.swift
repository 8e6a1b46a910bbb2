// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A program that replaces the process of a case. Test thread.

import FoundationEssentials
import Glibc

/// A shell script in a file, which is removed with the object.
///
/// Descriptor 3 is its end of the socket for reports.
final class FakeCase {
    let path = "/tmp/bulkhead-fake-case-\(getpid())-\(UInt32.random(in: 0 ... .max)).sh"

    init(_ script: String) throws {
        try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o755)
    }

    deinit { unlink(path) }
}
