// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folder of the build, and its contents beside the tests. Any thread.

import Glibc

/// The products of `make debug`.
package enum Build {
    /// The folder of the test executable, of the command, and of the bundles of effects and bridges.
    package static let folder: String = {
        var path = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        let executable = path.prefix(max(0, count))
        return String(decoding: executable.prefix(upTo: executable.lastIndex(of: UInt8(ascii: "/")) ?? 0), as: UTF8.self)
    }()

    /// The path of the built command.
    package static let command = folder + "/bulkhead"

    /// The folder of the bundles that only tests use.
    package static let testPluginFolder = folder + "/TestPlugins"
}
