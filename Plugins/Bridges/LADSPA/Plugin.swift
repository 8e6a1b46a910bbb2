// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A LADSPA plug-in from its descriptor, checked. Control thread.

import CLADSPA
import PluginSDK

/// One type of plug-in.
///
/// The descriptor lives as long as its library, which is never unloaded.
struct Plugin {
    let descriptor: UnsafePointer<LADSPA_Descriptor>
    /// The library's name, without folder and suffix, and its path.
    let library: String
    let path: String
    let label: String
    let name: String
    let maker: String
    /// The number that its author was given; unique if every author kept to the rules.
    let number: UInt
    let ports: [Port]

    struct Port {
        let index: Int
        let name: String
        let isInput: Bool
        let isAudio: Bool
        let hint: LADSPA_PortRangeHint
    }

    /// Far more than any known plug-in has: the most in Debian is 1080.
    ///
    /// A descriptor with more ports counts as garbage.
    static let maximumPortCount: UInt = 16_384

    init(_ descriptor: UnsafePointer<LADSPA_Descriptor>, library: String, path: String) throws(UnitError) {
        self.descriptor = descriptor
        self.library = library
        self.path = path
        let plugin = descriptor.pointee
        label = Self.text(plugin.Label)
        guard !label.isEmpty else { throw .failed("it has no label") }
        guard plugin.instantiate != nil, plugin.connect_port != nil, plugin.run != nil else {
            throw .failed("\"\(label)\" has no instantiate, connect_port or run")
        }
        name = Self.text(plugin.Name).isEmpty ? label : Self.text(plugin.Name)
        maker = Self.text(plugin.Maker)
        number = UInt(plugin.UniqueID)
        ports = try Self.ports(plugin, label)
        for direction in [true, false] {
            let count = ports(isInput: direction, isAudio: true).count
            guard count <= 64 else { throw .failed("\"\(label)\" has \(count) audio ports one way; 64 are the most") }
        }
    }

    /// The ports of one kind, in the order of their indices.
    func ports(isInput: Bool, isAudio: Bool) -> [Port] {
        ports.filter { $0.isInput == isInput && $0.isAudio == isAudio }
    }

    /// The audio inputs that hear the main input.
    var mainInputs: [Port] {
        let main = ports(isInput: true, isAudio: true).filter { !Self.isSideChain($0) }
        return main.isEmpty ? ports(isInput: true, isAudio: true) : main
    }

    /// The audio inputs that only control the effect on the others; none if all inputs are of that kind.
    var sideInputs: [Port] {
        let all = ports(isInput: true, isAudio: true)
        let side = all.filter(Self.isSideChain)
        return side.count < all.count ? side : []
    }

    /// True if a port's name marks it as a side chain: the interface has no other mark.
    private static func isSideChain(_ port: Port) -> Bool {
        let letters = port.name.lowercased().filter(\.isLetter)
        return letters.contains("sidechain")
    }

    /// True if a port is a control output that reports the latency in frames, by the convention of its name.
    static func isLatency(_ port: Port) -> Bool {
        !port.isInput && !port.isAudio && ["latency", "_latency"].contains(port.name.lowercased())
    }

    private static func ports(_ plugin: LADSPA_Descriptor, _ label: String) throws(UnitError) -> [Port] {
        guard plugin.PortCount <= maximumPortCount else {
            throw .failed("\"\(label)\" has \(plugin.PortCount) ports; \(maximumPortCount) are the most")
        }
        guard plugin.PortCount > 0 else { return [] }
        guard let kinds = plugin.PortDescriptors, let names = plugin.PortNames, let hints = plugin.PortRangeHints else {
            throw .failed("\"\(label)\" does not describe its ports")
        }
        var ports: [Port] = []
        for index in 0..<Int(plugin.PortCount) {
            let kind = Int32(kinds[index])
            let isInput = kind & LADSPA_PORT_INPUT != 0
            let isAudio = kind & LADSPA_PORT_AUDIO != 0
            guard isInput != (kind & LADSPA_PORT_OUTPUT != 0), isAudio != (kind & LADSPA_PORT_CONTROL != 0) else {
                throw .failed("port \(index) of \"\(label)\" is neither audio nor control, or neither input nor output")
            }
            let name = text(names[index])
            ports.append(
                Port(
                    index: index, name: name.isEmpty ? "Port \(index + 1)" : name, isInput: isInput, isAudio: isAudio,
                    hint: hints[index]))
        }
        return ports
    }

    /// Text of any encoding, often Latin-1, without characters that could control a terminal.
    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer else { return "" }
        let bytes = UnsafeBufferPointer(start: pointer, count: strnlen(pointer, 512)).map { UInt8(bitPattern: $0) }
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars)).trimmed
    }
}

extension String {
    /// The text without spaces at both ends.
    var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
