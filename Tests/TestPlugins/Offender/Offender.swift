// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in that breaks one rule at a time; the name of its library chooses the rule. Control thread.

import CFaults
import PluginSDK

/// The offence of this library: `libOffender-OFFENCE.so` commits one, `libOffender.so` is a bridge.
private let ownOffence: Offence? = {
    var name = [UInt8](repeating: 0, count: 256)
    CFaults_ownFileName(&name, Int32(name.count))
    let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    let (start, end) = ("libOffender-", ".so")
    guard text.hasPrefix(start), text.hasSuffix(end) else { return nil }
    return Offence(rawValue: String(text.dropFirst(start.count).dropLast(end.count)))
}()

extension OffenderKernel: Kernel {
    static let description: UnitDescription = Self.description(of: ownOffence ?? Offence.none)
    static let parameters: ParameterTree = Self.parameters(of: ownOffence ?? Offence.none)
    static let factoryPresets = [
        FactoryPreset("Little", ["amount": 0.25]), FactoryPreset("Odd", ["amount": 0.123456789, "colour": 7]),
    ]

    init(_ setup: RenderSetup) throws(UnitError) { try self.init(ownOffence ?? Offence.none, setup, hasBeenRestored: false) }

    static func description(of offence: Offence) -> UnitDescription {
        let index = Offence.allCases.firstIndex(of: offence) ?? 0
        let subtype = FourCharCode("of\(index / 10)\(index % 10)") ?? "offn"
        return UnitDescription(
            ComponentDescription(.effect, subtype, "test"), name: "Offender: \(offence.rawValue)",
            manufacturerName: "Bulkhead Tests", version: UnitVersion(1, 0, 0), tags: ["Test"],
            flags: offence == .midi || offence == .none ? [.consentsToInProcess, .midiInput] : .consentsToInProcess,
            inputs: [Bus(offence == .metadata ? "" : "Input", supportedChannelCounts: [1, 2])],
            outputs: [Bus("Output", supportedChannelCounts: [1, 2])])
    }

    static func parameters(of offence: Offence) -> ParameterTree {
        let isThird = offence == .opening && CFaults_countOpening() >= 3
        if offence == .hostLeaks { CFaults_leaveProcess() }
        return ParameterTree(
            Parameter("amount", name: isThird ? "Quantity" : "Amount", address: 1, range: 0...1, default: 0.5),
            Parameter(
                "colour", name: "Colour", address: 2, range: 0...10, default: offence == .parameters ? 3.5 : 3,
                flags: [.integer]),
            Parameter("mode", name: "Mode", address: 3, choices: ["soft", "hard", "wild"]))
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer {
    ownOffence == nil ? OffenderBridge.exported : OffenderKernel.exported
}
