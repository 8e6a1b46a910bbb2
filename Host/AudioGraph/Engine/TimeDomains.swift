// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which nodes follow the pace of which time effect. Any thread but the render thread.

import Rendering

extension GraphState {
    /// The time effect whose pace each node follows that is heard; a node without one follows the driver.
    ///
    /// Throws `timeDomains` for a node that would follow two paces, and `liveInput` where the engine's input leads to a time effect.
    func timeDomains() throws(AudioEngineError) -> [ObjectIdentifier: AudioUnitTimeEffect] {
        guard unorderedNodes.contains(where: { $0 is AudioUnitTimeEffect }) else { return [:] }
        var domains: [ObjectIdentifier: AudioUnitTimeEffect] = [:]
        var seen: Set<ObjectIdentifier> = []
        for end in ends + tappedNodes where seen.insert(ObjectIdentifier(end)).inserted {
            var rest = [end]
            while let node = rest.popLast() {
                let domain = node as? AudioUnitTimeEffect ?? domains[ObjectIdentifier(node)]
                for link in self[node]?.inputs.sorted(by: { $0.key < $1.key }).map(\.value) ?? [] {
                    let source = link.source
                    guard seen.insert(ObjectIdentifier(source)).inserted else {
                        guard domains[ObjectIdentifier(source)] === domain else {
                            throw .timeDomains(
                                node: source.name,
                                effects: [domains[ObjectIdentifier(source)], domain].compactMap { $0?.name }.sorted())
                        }
                        continue
                    }
                    if let domain, source is AudioInputNode { throw .liveInput(effect: domain.name) }
                    domains[ObjectIdentifier(source)] = domain
                    rest.append(source)
                }
            }
        }
        return domains
    }
}

extension RenderGraph {
    /// The pace that a clock follows; nil for the driver's.
    func pace(ofClock clock: Int) -> TimePace? {
        var clock = clock
        while clock != 0 {
            if let pace = clocks[clock].pace { return pace }
            clock = clocks[clock].base
        }
        return nil
    }
}
