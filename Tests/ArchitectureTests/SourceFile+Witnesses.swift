// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the functions by which types render for a program, and those among them that the compiler does not check.

import Glibc

extension SourceFile {
    /// The protocols whose functions of the render thread a program writes.
    private static let protocols: Set<Substring> = ["AudioProcessor", "AudioGenerator", "AudioReceiver"]

    /// Whether the text names one of the protocols at all, found by its bytes: most files name none.
    private var namesProtocol: Bool {
        text.withCString { text in Self.protocols.contains { strstr(text, String($0)) != nil } }
    }

    /// The lines of functions of the render thread in types that conform to these protocols.
    var renderWitnesses: [Int] {
        guard namesProtocol else { return [] }
        var found: [Int] = []
        /// The indentation of the type that conforms; nil outside of one.
        var margin: Int?
        for (index, line) in lines.enumerated() {
            let indentation = line.prefix { $0 == " " }.count
            if let present = margin, indentation == present, line.dropFirst(present).hasPrefix("}") { margin = nil }
            if margin == nil, Self.conforms(line), !line.hasSuffix("}") { margin = indentation }
            if margin != nil, Self.isWitness(line) { found.append(index) }
        }
        return found
    }

    /// Functions of the render thread that do not carry the compiler's check, in types that conform to these protocols.
    var uncheckedRenderWitnesses: [String] {
        renderWitnesses.filter { index in
            let before = index > 0 ? lines[index - 1] : ""
            let after = index + 1 < lines.count && lines[index].holds("var ") ? lines[index + 1] : ""
            return ![before, lines[index], after].contains { $0.holds("@_noLocks") && ($0 == lines[index] || !$0.holds("func ")) }
        }.map { "\(path):\($0 + 1)" }
    }

    /// Whether a line begins a type, or an extension of one, that conforms to one of the protocols.
    private static func conforms(_ line: Substring) -> Bool {
        let words = line.split { " ,&{".contains($0) }
        guard words.contains(where: { ["struct", "class", "enum", "extension", "actor"].contains($0) }) else { return false }
        // What stands between angle brackets is a demand on others.
        var depth = 0
        let outside = line.filter { character in
            if character == "<" { depth += 1 }
            defer { if character == ">" { depth -= 1 } }
            return depth == 0
        }
        guard let colon = outside.firstIndex(of: ":") else { return false }
        return outside[colon...].split { " ,&{:".contains($0) }.contains { protocols.contains($0) }
    }

    private static func isWitness(_ line: Substring) -> Bool {
        if line.holds("func render(") || line.holds("func receive(") { return true }
        if line.holds("func reset(") { return line.holds("AudioProcessorValues") }
        return line.holds("var latencyFrameCount: Int {")
    }
}
