// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The processes of this machine that belong to a workbench, by the home that they were given.

import Foundation

/// What the kernel says of running processes.
enum ProcessTable {
    /// The programs of all processes with this home.
    static func names(withHome home: String) -> [String] {
        identifiers(withHome: home).map { "\(program(of: $0)) (process \($0))" }
    }

    /// The process that runs a program whose path ends so.
    static func identifier(ofProgram suffix: String, home: String) -> pid_t? {
        identifiers(withHome: home).first { program(of: $0).hasSuffix(suffix) }
    }

    /// The processes of all plug-ins.
    static func plugins(home: String) -> [pid_t] {
        identifiers(withHome: home).filter { program(of: $0).contains(".bulkhead/") }
    }

    /// The process of a command of Bulkhead, such as "attach".
    static func identifier(ofCommand word: String, home: String) -> pid_t? {
        identifiers(withHome: home).first { identifier in
            let file = FileHandle(forReadingAtPath: "/proc/\(identifier)/cmdline")
            let words = ((try? file?.readToEnd()) ?? Data()).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            // The one that sets the terminal right has the same words, and another name.
            let name = (try? String(contentsOfFile: "/proc/\(identifier)/comm", encoding: .utf8)) ?? ""
            return words.count > 1 && words[0].hasSuffix("bulkhead") && words[1] == word && name != "terminal-guard\n"
        }
    }

    /// The seconds that a process has used of its processors.
    static func processorSeconds(of identifier: pid_t) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[12]), let system = Double(fields[13]) else { return .infinity }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The variables with which a process was started.
    static func environment(of identifier: pid_t) -> [String: String] {
        let file = FileHandle(forReadingAtPath: "/proc/\(identifier)/environ")
        let lines = ((try? file?.readToEnd()) ?? Data()).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let pairs = lines.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// A child of a process, if it has one.
    static func child(of parent: pid_t) -> pid_t? {
        let path = "/proc/\(parent)/task/\(parent)/children"
        let text = (try? FileHandle(forReadingAtPath: path)?.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
        return text?.split(separator: " ").first.flatMap { pid_t($0) }
    }

    /// The children of a process, of all its threads.
    static func children(of parent: pid_t) -> [pid_t] {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
        return all.filter { identifier in
            guard let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8) else { return false }
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            return fields.count > 2 && pid_t(fields[2]) == parent
        }
    }

    private static func identifiers(withHome home: String) -> [pid_t] {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
        let wanted = Data("HOME=\(home)\0".utf8)
        return all.filter { identifier in
            // The kernel says that such files are empty; reading them tells otherwise.
            let file = FileHandle(forReadingAtPath: "/proc/\(identifier)/environ")
            return (try? file?.readToEnd())?.range(of: wanted) != nil
        }
    }

    private static func program(of identifier: pid_t) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(identifier)/exe")) ?? "?"
    }
}
