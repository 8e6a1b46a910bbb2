// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the time effect whose pace each node follows. Any thread but the render thread.

import AudioFormats
import Rendering

extension GraphState {
    /// Returns the time effect whose pace each node that is heard follows; a node without one follows the driver.
    ///
    /// Throws `timeDomains` for a node that would follow two paces, and `liveInput` if the engine's input leads to a time effect.
    func timeDomains() throws(AudioEngineError) -> [ObjectIdentifier: AudioNode] {
        guard unorderedNodes.contains(where: { $0.body.pace != nil }) else { return [:] }
        var domains: [ObjectIdentifier: AudioNode] = [:]
        var seen: Set<ObjectIdentifier> = []
        var roots = ends
        var tapped = tappedNodes
        while true {
            tapped.removeAll { seen.contains(ObjectIdentifier($0)) }
            guard let root = roots.isEmpty ? mostDownstream(of: tapped) : roots.removeFirst() else { break }
            guard seen.insert(ObjectIdentifier(root)).inserted else { continue }
            var rest = [root]
            while let node = rest.popLast() {
                let domain = node.body.pace != nil ? node : domains[ObjectIdentifier(node)]
                for link in self[node]?.inputs.sorted(by: { $0.key < $1.key }).map(\.value) ?? [] {
                    let source = link.source
                    guard seen.insert(ObjectIdentifier(source)).inserted else {
                        guard domains[ObjectIdentifier(source)] === domain else {
                            throw .timeDomains(
                                node: NamedNode(source),
                                effects: [domains[ObjectIdentifier(source)], domain].compactMap { $0.map { NamedNode($0) } }.sorted
                                { $0.name < $1.name })
                        }
                        continue
                    }
                    if let domain, source.body.isLive { throw .liveInput(effect: NamedNode(domain)) }
                    domains[ObjectIdentifier(source)] = domain
                    rest.append(source)
                }
            }
        }
        return domains
    }

    /// Returns the first of `nodes` that leads to no other of them; nil if there is none.
    func mostDownstream(of nodes: [AudioNode]) -> AudioNode? {
        nodes.first { node in nodes.allSatisfy { $0 === node || path(from: node, to: $0) == nil } }
    }
}

extension AudioEngine {
    /// Throws `tooManyFrames` if a node would have to render more frames for a single frame of the driver's than a cycle may have.
    func checkLengths(_ environment: RenderEnvironment) throws(AudioEngineError) {
        let (graph, engine) = state.withLock { ($0.graph, Self.format(of: $0).at(environment.sampleRate)) }
        let domains = try graph.timeDomains()
        for node in graph.activeNodes {
            guard let record = graph[node] else { continue }
            var frames = Self.sampleRate(of: record, engine) / environment.sampleRate
            if node.speed != nil { frames *= Double(SourceSpeed.rates.upperBound) }
            var effect = domains[ObjectIdentifier(node)]
            while let present = effect {
                frames *= Double(present.body.highestRate)
                effect = domains[ObjectIdentifier(present)]
            }
            guard frames <= Double(environment.maximumFrameCount) else {
                throw .tooManyFrames(Int(nearestFrame: frames.rounded(.up)), maximum: environment.maximumFrameCount)
            }
        }
    }
}

extension RenderGraph {
    /// Returns the pace that a clock follows; nil for the driver's.
    func pace(ofClock clock: Int) -> TimePace? {
        var clock = clock
        while clock != 0 {
            if let pace = clocks[clock].pace { return pace }
            clock = clocks[clock].base
        }
        return nil
    }
}
