// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The machine's files that every program needs to be loaded. Any thread.

/// Files that the dynamic loader reads and runs, and four devices that hold no data.
package enum LoadingPaths {
    /// All of them.
    package static let all: [Confinement.NamedPath] =
        loaders.map { Confinement.NamedPath($0, [.read, .run]) }
        + [
            "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64", "/etc/ld.so.cache",
            "/etc/alternatives", "/dev/zero", "/dev/random", "/dev/urandom",
        ].map { Confinement.NamedPath($0, .read) }
        + [Confinement.NamedPath("/dev/null", [.read, .write])]

    /// The dynamic loader, which the kernel runs to start a program.
    private static var loaders: [String] {
        #if arch(arm64)
            ["/lib/ld-linux-aarch64.so.1"]
        #else
            ["/lib64/ld-linux-x86-64.so.2"]
        #endif
    }
}
