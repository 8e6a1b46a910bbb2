// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where the build put its plug-ins, and units of them by name.

import AudioUnits
import Glibc
import LinuxSystem
import PluginHosting

/// The folder of the test executable, and the bundles that `make debug` put beside it.
enum Build {
    static let folder: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        return FilePath.folder(of: String(decoding: path.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self))
    }()

    static let testPluginFolder = folder + "/TestPlugins"

    /// Every plug-in of the build that is not there for tests.
    static var effects: [Component] { ComponentRegistry(searchPath: [folder]).components }

    static func component(_ name: String) throws -> Component {
        try ComponentRegistry(searchPath: [folder, testPluginFolder]).component(named: name)
    }

    static func unit(_ name: String, inProcess: Bool = false) throws -> HostedUnit {
        try HostedUnit(try component(name), inProcess: inProcess)
    }
}

/// What this process has open and has started.
enum Census {
    static var descriptorCount: Int { entries(of: "/proc/self/fd").count }

    /// Living and unreaped children.
    static var children: [Int32] {
        entries(of: "/proc/self/task").flatMap { task -> [Int32] in
            guard let file = fopen("/proc/self/task/\(task)/children", "r") else { return [] }
            defer { fclose(file) }
            var text = [UInt8](repeating: 0, count: 65536)
            let count = fread(&text, 1, text.count, file)
            return String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// The kernel's letter for what a process does.
    static func state(of process: Int32) -> Character? {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = fread(&text, 1, text.count, file)
        let line = String(decoding: text.prefix(count), as: UTF8.self)
        return line.lastIndex(of: ")").flatMap { line[$0...].dropFirst(2).first }
    }

    private static func entries(of folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// Stops a process and waits until all of it stands still.
func halt(_ process: Int32) {
    kill(process, SIGSTOP)
    _ = waitUntil(milliseconds: 1000) { Census.state(of: process) == "T" }
}

/// Lets time pass until `condition` holds; false when it did not within `milliseconds`.
func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
    let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
    while !condition() {
        guard MonotonicClock.now() < deadline else { return false }
        Futex.pause(microseconds: 500)
    }
    return true
}
