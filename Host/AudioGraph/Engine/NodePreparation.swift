// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lets nodes take their resources, several at once: units map and touch their memory meanwhile. Any thread but the render thread.

import LinuxSystem
import PluginHosting

/// A node that will be part of a plan, and the formats that it has there.
struct NodePreparation: Sendable {
    private let node: AudioNode
    private let formats: NodeFormats
    private let environment: RenderEnvironment

    init(_ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment) {
        (self.node, self.formats, self.environment) = (node, formats, environment)
    }

    /// Leaves out the node that has refused its formats with this error; false for another error, or if the node has no stand-in.
    func leaveOut(_ error: AudioEngineError) -> Bool { error.isRefusal && node.body.leaveOut(for: formats, environment) }

    /// The outcome of one node's preparation.
    struct Outcome: Sendable {
        /// True if the node has resources that it did not have before.
        var isNew = false
        var failure: AudioEngineError?
    }

    /// Prepares all nodes; those of a group one after the other, and those without a group on the calling thread.
    ///
    /// The outcomes come in the order of the nodes. The supervisor learns of the units in the same order.
    static func prepare(_ nodes: [NodePreparation], _ terms: PreparationTerms) -> [Outcome] {
        var groups: [ObjectIdentifier: [Int]] = [:]
        var outcomes = [Outcome](repeating: Outcome(), count: nodes.count)
        for (index, node) in nodes.enumerated() where node.wantsResources {
            if let group = node.group { groups[group, default: []].append(index) }
        }
        let apart = groups.values.sorted { $0[0] < $1[0] }
        let prepared = Thread.map(apart, name: "allocate") { indices in indices.map { ($0, nodes[$0].prepare(terms)) } }
        for (index, outcome) in prepared.joined() { outcomes[index] = outcome }
        for (index, node) in nodes.enumerated() {
            if node.wantsResources, node.group == nil { outcomes[index] = node.prepare(terms) }
            if outcomes[index].isNew, let failure = node.join() { outcomes[index] = Outcome(failure: failure) }
        }
        return outcomes
    }

    private var wantsResources: Bool { node.body.wantsResources(for: formats, environment) }
    private var group: ObjectIdentifier? { node.body.preparationGroup }

    private func prepare(_ terms: PreparationTerms) -> Outcome {
        do throws(AudioEngineError) {
            try node.body.prepare(node, formats, environment, terms)
            return Outcome(isNew: true)
        } catch {
            return Outcome(failure: error)
        }
    }

    private func join() -> AudioEngineError? {
        do throws(AudioEngineError) {
            try node.body.join(node)
            return nil
        } catch {
            return error
        }
    }
}

extension AudioEngineError {
    /// True if a node has refused its formats, and is well.
    fileprivate var isRefusal: Bool {
        switch self {
        case .unit(_, let reason): reason.isRefusal
        case .formatRefused: true
        default: false
        }
    }
}

extension AudioEngineConfigurationChange {
    /// Reports the node that has refused its formats with this error, and is left out; nil for an error of another kind.
    init?(leavingOut error: AudioEngineError) {
        switch error {
        case .unit(let node, let reason): self = .unitLeftOut(node: node.name, reason: "\(reason)")
        case .formatRefused(let node, _, _, let reason): self = .unitLeftOut(node: node.name, reason: reason)
        default: return nil
        }
    }
}

extension HostingError {
    /// True if the unit has refused a request, and is well.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .impossibleFormat: true
        default: false
        }
    }
}
