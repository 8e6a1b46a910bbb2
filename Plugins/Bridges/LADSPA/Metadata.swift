// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What RDF files beside the libraries say of LADSPA plug-ins: categories, scale points, defaults, units. Control thread.

import CLRDF
import Glibc
import PluginSDK

/// Descriptions of plug-ins, found through liblrdf, whose store belongs to the process.
struct Metadata {
    private static let ontology = "http://ladspa.org/ontology#"
    private static let label = "http://www.w3.org/2000/01/rdf-schema#label"
    private static let isOpen: Bool = {
        lrdf_init()
        return true
    }()

    /// Reads those files that mention one of the plug-ins, and the ontology.
    init(mentioning numbers: [UInt]) {
        guard Self.isOpen else { return }
        for path in Self.files() where path.hasSuffix("/ladspa.rdfs") || Self.mentions(path, numbers) {
            _ = lrdf_read_file("file://\(path)")
        }
    }

    /// The names of a plug-in's classes, such as "Delays", from the most special on; none for plain plug-ins.
    func categories(of number: UInt) -> [String] {
        var uri = object(of: Self.uri(number), "http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
        var names: [String] = []
        while let found = uri, names.count < 8, found != Self.ontology + "Plugin" {
            if let name = object(of: found, Self.label) { names.append(name) }
            uri = object(of: found, "http://www.w3.org/2000/01/rdf-schema#subClassOf")
        }
        return names
    }

    /// Values of a port that have names.
    func scalePoints(of number: UInt, port: Int) -> [(value: Double, label: String)] {
        guard let points = lrdf_get_scale_values(number, UInt(port)) else { return [] }
        defer { lrdf_free_setting_values(points) }
        guard let items = points.pointee.items else { return [] }
        return (0..<Int(points.pointee.count)).compactMap { index in
            items[index].label.map { (Double(items[index].value), String(cString: $0)) }
        }
    }

    /// The values of a plug-in's default setting, by port.
    func defaults(of number: UInt) -> [Int: Double] {
        guard let uri = lrdf_get_default_uri(number), let values = lrdf_get_setting_values(uri) else { return [:] }
        defer { lrdf_free_setting_values(values) }
        guard let items = values.pointee.items else { return [:] }
        let pairs = (0..<Int(values.pointee.count)).map { (Int(items[$0].pid), Double(items[$0].value)) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The unit of a port, where it is said.
    func unit(of number: UInt, port: Int) -> String? {
        object(of: "\(Self.uri(number)).\(port)", Self.ontology + "hasUnit")?.split(separator: "#").last.map(String.init)
    }

    private static func uri(_ number: UInt) -> String { "\(ontology)\(number)" }

    /// The first object that a subject and a predicate have.
    private func object(of subject: String, _ predicate: String) -> String? {
        subject.withCString { subject in
            predicate.withCString { predicate in
                var pattern = lrdf_statement()
                pattern.subject = UnsafeMutablePointer(mutating: subject)
                pattern.predicate = UnsafeMutablePointer(mutating: predicate)
                guard let match = lrdf_one_match(&pattern) else { return nil }
                return match.pointee.object.map { String(cString: $0) }
            }
        }
    }
}

// MARK: - Files

extension Metadata {
    /// LADSPA_RDF_PATH, or else the usual folders.
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

    /// Whether a file speaks of one of the plug-ins: reading all of them would take longer than loading the plug-in.
    private static func mentions(_ path: String, _ numbers: [UInt]) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, (1...maximumByteCount).contains(Int(status.st_size))
        else { return false }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(file, &bytes, bytes.count)
        return mentions(bytes.prefix(max(0, count)), Set(numbers))
    }

    /// A plug-in's number follows `&ladspa;`, the ontology as an entity, or `ontology#`.
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
