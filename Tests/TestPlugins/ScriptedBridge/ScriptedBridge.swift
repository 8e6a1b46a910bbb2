// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bridge that reads a script at each location, which says what it finds there, for tests of scanning. Control thread.

import CFaults
import Glibc
import PluginSDK

/// Reads the script at a location and obeys its lines in their order.
enum ScriptedBridge: Bridge {
    static let description = UnitDescription(
        ComponentDescription(.bridge, "scrp", "test"), name: "Scripted bridge", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0), flags: .consentsToInProcess, inputs: [], outputs: [], channelCountsMatch: false)

    static func units(at location: String) throws(UnitError) -> UnitListing {
        guard let script = Script(location: location) else { throw .failed("there is no script") }
        var listing = UnitListing()
        for line in script.lines { try obey(line, script, &listing) }
        return listing
    }

    static func unit(at locator: [String]) throws(UnitError) -> any BridgedUnit {
        // A library and a label, or a URI and the folder of a bundle.
        let isBundle = locator.first?.hasPrefix("/") == false
        guard locator.count >= 2, let script = Script(location: locator[isBundle ? 1 : 0]) else {
            throw .failed("there is no such unit")
        }
        let label = isBundle ? locator[0].split(separator: "#").last.map(String.init) ?? "" : locator[1]
        return ScriptedUnit(script.unit(label).description, extensions: Array(locator.dropFirst(2)))
    }

    private static func obey(_ line: [String], _ script: Script, _ listing: inout UnitListing) throws(UnitError) {
        let word = line.count > 1 ? line[1] : ""
        let rest = line.dropFirst().joined(separator: " ")
        let number = Int(word) ?? 0
        switch line.first {
        case "unit": listing.units.append(script.unit(word, name: line.count > 2 ? line.dropFirst(2).joined(separator: " ") : nil))
        case "units": listing.units += (0..<number).map { script.unit("unit\($0)") }
        case "much": listing.units += (0..<number).map { script.unit("unit\($0)", tags: Array(repeating: tag, count: 60)) }
        case "identifier": listing.units.append(script.unit("odd", identifier: rest))
        case "elsewhere": listing.units.append(script.unit("elsewhere", foundAt: rest))
        case "long": listing.units.append(script.unit("long", name: String(repeating: "x", count: number)))
        case "escape": listing.units.append(script.unit("escape", name: "\u{1B}[31mRed\u{202E}"))
        case "native": listing.units.append(ListedUnit(locator: ["x"], description: description))
        case "extends": listing.extends.append(rest)
        case "defect": listing.defects.append(rest)
        case "refuse": throw .failed(rest)
        case "heir": CFaults_leaveHeir(rest)
        case "exit": CFaults_exit(Int32(number))
        case "crash": CFaults_crash()
        case "hang": CFaults_loop(-1)
        case "leak": leak()
        case "sleep": CFaults_sleep(Int32(number))
        case "print": print(rest)
        case "garbage": answerGarbage(byteCount: number)
        default: throw .failed("the script says \"\(line.joined(separator: " "))\"")
        }
    }

    /// Among the longest that a listing may hold.
    private static let tag = String(repeating: "t", count: 100)

    /// Takes all the memory that it may have, without writing to it, and then sleeps.
    private static func leak() {
        let unreserved: Int32 = 0x4000
        for _ in 0..<65_536 {
            let memory = mmap(nil, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | unreserved, -1, 0)
            guard memory != MAP_FAILED else { break }
        }
        CFaults_sleep(60_000)
    }

    /// Sends bytes that are no message on the control channel, and then sleeps.
    private static func answerGarbage(byteCount: Int) {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        _ = write(3, bytes, bytes.count)
        CFaults_sleep(60_000)
    }
}

/// The lines of a script: after the header of a library, or in the manifest of a bundle.
private struct Script {
    let lines: [[String]]
    private let location: String
    private let isBundle: Bool

    /// The length of an ELF header.
    private static let headerByteCount = 64

    init?(location: String) {
        self.location = location
        var status = stat()
        guard stat(location, &status) == 0 else { return nil }
        isBundle = status.st_mode & S_IFMT == S_IFDIR
        guard let file = fopen(isBundle ? "\(location)/manifest.ttl" : location, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
        let text = String(decoding: bytes.dropFirst(isBundle ? 0 : Self.headerByteCount), as: UTF8.self)
        lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// The unit of a label; its name is the label where the script gives it none.
    func unit(
        _ label: String, name: String? = nil, identifier: String? = nil, foundAt foundLocation: String? = nil,
        tags: [String] = ["Scripted"]
    ) -> ListedUnit {
        let file = location.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? ""
        let own = isBundle ? "lv2:http://example.org/\(file)#\(label)" : "ladspa:\(file):\(label)"
        let given = lines.first { $0.first == "unit" && $0.count > 2 && $0[1] == label }?.dropFirst(2).joined(separator: " ")
        let kind = foundLocation ?? location
        return ListedUnit(
            locator: isBundle ? [String((identifier ?? own).dropFirst(4)), kind] : [kind, label],
            description: UnitDescription(
                ComponentDescription(.effect, "scrp", "test"), classicIdentifier: identifier ?? own, name: name ?? given ?? label,
                manufacturerName: "Nobody", version: UnitVersion(1, 0, 0), tags: tags))
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { ScriptedBridge.exported }
