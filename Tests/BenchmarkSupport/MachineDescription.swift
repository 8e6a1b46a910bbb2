// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The measured machine, without which no figure has a meaning. Any thread.

import FoundationEssentials
import Glibc

/// The machine, in words.
package struct MachineDescription: Equatable, Sendable {
    /// The model of the processor.
    package let processor: String
    /// The number of processors.
    package let processorCount: Int
    /// Whether it is a virtual machine.
    package let isVirtual: Bool
    /// The kernel's and the system's name.
    package let kernel, system: String

    /// Reads the text of /proc/cpuinfo, the kernel's name, and the text of /etc/os-release.
    package init(processorInformation: String, kernel: String, systemRelease: String) {
        let lines = processorInformation.split(separator: "\n")
        func value(_ key: String) -> String? { lines.first { $0.hasPrefix(key) }.flatMap { Self.after(":", in: $0) } }
        processor = value("model name") ?? "an unknown processor"
        processorCount = lines.count { $0.hasPrefix("processor") }
        isVirtual = value("flags")?.split(separator: " ").contains("hypervisor") ?? false
        self.kernel = kernel
        let name = systemRelease.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        system = name.flatMap { Self.after("=", in: $0) }.map { String($0.filter { $0 != "\"" }) } ?? "an unknown system"
    }

    /// This machine.
    package static var current: MachineDescription {
        func contents(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        let release = contents("/proc/sys/kernel/osrelease").split(separator: "\n").first.map(String.init) ?? "?"
        return MachineDescription(
            processorInformation: contents("/proc/cpuinfo"), kernel: "Linux \(release)",
            systemRelease: contents("/etc/os-release"))
    }

    /// The machine in one line.
    package var text: String {
        let kind = isVirtual ? "a virtual machine with" : ""
        let count = processorCount == 1 ? "1 processor" : "\(processorCount) processors"
        return "\(kind.isEmpty ? "" : "\(kind) ")\(count) (\(processor)), \(kernel), \(system)"
    }

    private static func after(_ mark: Character, in line: Substring) -> String? {
        guard let position = line.firstIndex(of: mark) else { return nil }
        let text = line[line.index(after: position)...]
        return String(text.drop { $0 == " " })
    }
}
