// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The units of a command's chain, made and wired for a format. Main thread.

import PluginHosting
import Rendering

/// What a command line's chain became.
struct ChainSession {
    let units: [HostedUnit]
    let chain: UnitChain

    /// Instantiates all effects at once and connects them.
    init(_ arguments: ChainArguments, format: ChainFormat) async throws {
        let registry = ComponentRegistry(searchPath: ComponentRegistry.defaultSearchPath)
        units = try await Self.instantiate(arguments.effects, registry)
        let links = try zip(units, arguments.effects).map { unit, effect in
            ChainLink(unit, automation: try effect.lanes(of: unit, sampleRate: format.sampleRate))
        }
        chain = try UnitChain(links, format: format)
    }

    private static func instantiate(_ effects: [EffectRequest], _ registry: ComponentRegistry) async throws -> [HostedUnit] {
        try await withThrowingTaskGroup(of: (Int, HostedUnit).self) { group in
            for (index, effect) in effects.enumerated() {
                group.addTask { (index, try await effect.instantiate(from: registry)) }
            }
            var units: [Int: HostedUnit] = [:]
            for try await (index, unit) in group { units[index] = unit }
            return effects.indices.map { units[$0]! }
        }
    }
}
