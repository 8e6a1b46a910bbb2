// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit as a person writes it: omitted fields have their usual values. Any thread.

import FoundationEssentials

extension SavedUnit {
    /// The version of a unit that a person wrote: every plug-in is newer.
    package static let anyVersion = "0.0.0"

    private enum SparseKey: String, CodingKey {
        case id, name, version, isolation, parameters, texts, code, custom, midi, automation, fallback, isBypassed
    }

    /// Reads a unit from a chain that may omit everything but the ID.
    ///
    /// Without a name the unit is called by its ID. Omitted parameters take the plug-in's defaults.
    package init(sparse decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SparseKey.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decodeIfPresent(String.self, forKey: .name) ?? id
        version = try container.decodeIfPresent(String.self, forKey: .version) ?? Self.anyVersion
        isolation = try container.decodeIfPresent(IsolationPolicy.self, forKey: .isolation) ?? .outOfProcess
        parameters = try container.decodeIfPresent([String: Double].self, forKey: .parameters) ?? [:]
        texts = try container.decodeIfPresent([String: String].self, forKey: .texts)
        code = try container.decodeIfPresent(PluginCode.self, forKey: .code)
        custom = try container.decodeIfPresent(Data.self, forKey: .custom)
        midi = try container.decodeIfPresent(SavedMIDI.self, forKey: .midi)
        automation = try container.decodeIfPresent([AutomationCurve].self, forKey: .automation)
        fallback = try container.decodeIfPresent(Fallback.self, forKey: .fallback)
        isBypassed = try container.decodeIfPresent(Bool.self, forKey: .isBypassed)
    }

    /// Makes a unit of a plug-in with these parameters and the usual values of all else.
    package init(id: String, parameters: [String: Double] = [:]) {
        (self.id, name, version) = (id, id, Self.anyVersion)
        (isolation, self.parameters) = (.outOfProcess, parameters)
    }
}
