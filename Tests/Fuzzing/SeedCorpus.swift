// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes honest inputs for each parser into a folder of its name, for the fuzzer to start from. Main thread.

import Glibc

@main
struct SeedCorpus {
    static func main() throws {
        let folder = CommandLine.arguments[1]
        for target in FuzzTarget.all {
            mkdir("\(folder)/\(target.name)", 0o755)
            for (index, seed) in try target.seeds().enumerated() { write("\(folder)/\(target.name)/\(index)", seed) }
        }
    }

    private static func write(_ path: String, _ bytes: [UInt8]) {
        let file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o644)
        guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else {
            leave(1, "Couldn't write \"\(path)\": \(String(cString: strerror(errno))).")
        }
        close(file)
    }
}
