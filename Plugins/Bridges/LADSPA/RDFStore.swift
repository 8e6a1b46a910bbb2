// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The RDF files beside the libraries, which liblrdf reads when libraries are listed. Control thread.

import CLRDF
import Glibc
import PluginSDK

/// Descriptions of plug-ins; a process has one store.
struct RDFStore {
    /// The reason, as a sentence, why existing descriptions could not be read.
    private(set) var defect: String?
    private var isEmpty = true

    private static let ontology = "http://ladspa.org/ontology#"
    private static let label = "http://www.w3.org/2000/01/rdf-schema#label"

    /// Reads the files that mention one of the plug-ins, and the ontology.
    ///
    /// Without such files, liblrdf is not even loaded.
    init(mentioning numbers: [UInt]) {
        let files = Self.files()
        let descriptions = files.filter { !Self.isOntology($0) && Self.mentions($0, Set(numbers)) }
        guard !descriptions.isEmpty else { return }
        if let reason = CLRDF_load() {
            defect = "What is said of it beside it can't be read: \(String(cString: reason))."
            return
        }
        for path in files.filter(Self.isOntology) + descriptions { _ = CLRDF_read("file://\(path)") }
        isEmpty = false
    }

    /// The metadata of a plug-in in the files.
    func metadata(of plugin: Plugin) -> Metadata {
        var metadata = Metadata()
        guard !isEmpty else { return metadata }
        let uri = "\(Self.ontology)\(plugin.number)"
        metadata.categories = categories(of: uri)
        let defaults = values { CLRDF_defaults(plugin.number, $0, $1) }
        metadata.defaults = Dictionary(defaults.map { (Int(truncatingIfNeeded: $0.port), $0.value) }) { first, _ in first }
        for port in plugin.ports where !port.isAudio {
            if let unit = object(of: "\(uri).\(port.index)", Self.ontology + "hasUnit")?.split(separator: "#").last {
                metadata.units[port.index] = String(unit)
            }
            let points = values { CLRDF_scalePoints(plugin.number, UInt(port.index), $0, $1) }
            let names = points.compactMap { point in point.label.map { (point.value, String(cString: $0)) } }
            if !names.isEmpty { metadata.scalePoints[port.index] = Dictionary(names) { first, _ in first } }
        }
        return metadata
    }

    private func categories(of plugin: String) -> [String] {
        var uri = object(of: plugin, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
        var names: [String] = []
        while let found = uri, names.count < 8, found != Self.ontology + "Plugin" {
            if let name = object(of: found, Self.label) { names.append(name) }
            uri = object(of: found, "http://www.w3.org/2000/01/rdf-schema#subClassOf")
        }
        return names
    }

    private func object(of subject: String, _ predicate: String) -> String? {
        CLRDF_object(subject, predicate).map { String(cString: $0) }
    }

    /// At most 256 values, the most that a parameter can name.
    private func values(_ read: (UnsafeMutablePointer<CLRDF_PortValue>, Int) -> Int) -> [CLRDF_PortValue] {
        [CLRDF_PortValue](unsafeUninitializedCapacity: 256) { buffer, count in
            count = min(read(buffer.baseAddress!, buffer.count), buffer.count)
        }
    }
}

// MARK: - Files

extension RDFStore {
    /// True if a file describes the common terms of all plug-ins.
    private static func isOntology(_ path: String) -> Bool { path.hasSuffix("/ladspa.rdfs") }

    /// The files in the folders of LADSPA_RDF_PATH, or otherwise in the usual folders.
    private static func files() -> [String] {
        let path = getenv("LADSPA_RDF_PATH").map { String(cString: $0) } ?? "/usr/local/share/ladspa/rdf:/usr/share/ladspa/rdf"
        return path.split(separator: ":").map(String.init).flatMap(files(in:))
    }

    private static func files(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream), names.count < 1000 {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".rdf") || name.hasSuffix(".rdfs") { names.append("\(folder)/\(name)") }
        }
        return names.sorted()
    }

    /// The most bytes of a file that are read.
    private static let maximumByteCount = 1 << 23

    /// True if a file mentions one of the plug-ins.
    ///
    /// It would take liblrdf longer to read all files than to load the plug-in.
    private static func mentions(_ path: String, _ numbers: Set<UInt>) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, (1...maximumByteCount).contains(Int(status.st_size))
        else { return false }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(file, &bytes, bytes.count)
        return mentions(bytes.prefix(max(0, count)), numbers)
    }

    /// True if one of the numbers follows `&ladspa;`, the ontology as an entity, or `ontology#`.
    private static func mentions(_ bytes: ArraySlice<UInt8>, _ numbers: Set<UInt>) -> Bool {
        var position = bytes.startIndex
        while let mark = bytes[position...].firstIndex(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "#") }) {
            position = mark + 1
            var number: UInt = 0
            while position < bytes.endIndex, (0x30...0x39).contains(bytes[position]), number < 1 << 32 {
                number = number * 10 + UInt(bytes[position] - 0x30)
                position += 1
            }
            if position > mark + 1, numbers.contains(number) { return true }
        }
        return false
    }
}
