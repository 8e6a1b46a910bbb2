// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A request for a child process. Control thread.

import CPipeWireShims
import Glibc

/// The program to start, its arguments, environment and streams.
struct SpawnRequest {
    var program: String
    var arguments: [String]
    var environment: [String: String]
    /// A descriptor; nil for /dev/null.
    var standardInput: Int32?
    /// A file to which both output streams are appended; nil for /dev/null.
    var log: String?
    /// The Debian package that has the program.
    var package: String

    /// Starts the program in a process group; 0 makes a new group.
    func spawn(inGroup group: pid_t) throws(PipeWireError) -> pid_t {
        var child: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for string in words + variables { free(string) } }
        let code = CPipeWireShims_spawn(&child, group, &words, &variables, standardInput ?? -1, log)
        if code == ENOENT, let log, access(log, F_OK) != 0 {
            throw .childFailed(name: program, reason: "couldn't write \"\(log)\": \(describe(code))")
        }
        guard code != ENOENT else { throw .missingProgram(name: program, package: package) }
        guard code == 0 else { throw .childFailed(name: program, reason: describe(code)) }
        return child
    }
}

/// This process's environment as a dictionary.
func currentEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    while let pointer = entry?.pointee {
        let parts = String(cString: pointer).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
        entry = entry?.advanced(by: 1)
    }
    return result
}
