// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A registered tree in flat form: what an event of it needs. Control thread.

/// A tree as tables: leaves, parameters, mixers, and the choices on the way to each leaf.
///
/// It is made once, when the tree is registered. An event copies what changes while it plays.
struct TreeProgram: Sendable {
    /// A node; children are places in `nodes`.
    enum Node: Sendable {
        case leaf(Int)
        case all([Int])
        case random(Int, [Int])
        case choice(Int, [(text: String, node: Int)])
        /// Children with gains: the number of the parameter, and the gain over it.
        case blend(Int, [(envelope: Envelope, node: Int)])
    }

    /// A factor of a leaf's gain or rate that follows a parameter.
    struct Stage: Sendable {
        let parameter: Int
        /// The courses from the parameter to the factor, each over the one before.
        let envelopes: [Envelope]
    }

    /// The origin of a leaf's frames.
    enum Origin: Sendable {
        case asset(String, isLooping: Bool)
        case push(SoundStream)
        case pull(SoundStream)
    }

    /// A sound of the tree.
    struct Leaf: Sendable {
        let origin: Origin
        let settings: LeafSettings
        /// The gains on the way to the leaf: blends, the sampler's own, and the mixer's.
        let gains: [Stage]
        let rate: Stage?
        /// The gains of the straight way and of the room that follow parameters.
        let direct: Stage?
        let room: Stage?
    }

    /// A choice by chance.
    struct Chance: Sendable {
        let weights: [Double]
        let queueLength: Int
    }

    /// The nodes, the root first.
    private(set) var nodes: [Node] = []
    private(set) var leaves: [Leaf] = []
    private(set) var numbers: [NumberParameter] = []
    private(set) var texts: [TextParameter] = []
    private(set) var chances: [Chance] = []
    /// The parameters that follow others.
    private(set) var mapped: [String: NumberParameter] = [:]

    /// The most nodes of a tree.
    static let mostNodes = 65_536
    /// The most levels of a tree.
    static let mostLevels = 256
    /// The level of the node that is added.
    private var level = 0
    /// The most parameters that follow each other.
    static let mostMappings = 64

    /// Compiles a tree.
    init(_ root: SoundNode, id: String) throws(SoundEventError) {
        var stages: [Stage] = []
        do throws(TreeFault) {
            _ = try add(root, &stages)
        } catch {
            throw .tree(id: id, reason: error.reason)
        }
        if leaves.isEmpty { throw .tree(id: id, reason: "it has no sampler and no stream") }
    }

    private struct TreeFault: Error { let reason: String }

    /// Adds a node and all below it; returns its place.
    private mutating func add(_ node: SoundNode, _ stages: inout [Stage]) throws(TreeFault) -> Int {
        guard nodes.count < Self.mostNodes else { throw TreeFault(reason: "it has more than \(Self.mostNodes) nodes") }
        guard level < Self.mostLevels else { throw TreeFault(reason: "it has more than \(Self.mostLevels) levels") }
        level += 1
        defer { level -= 1 }
        let place = nodes.count
        nodes.append(.all([]))
        switch node {
        case .sampler(let sampler):
            let origin = Origin.asset(sampler.asset, isLooping: sampler.playback == .looping)
            nodes[place] = .leaf(try add(origin, LeafSettings(sampler), stages))
        case .push(let stream):
            try check(stream)
            nodes[place] = .leaf(try add(.push(stream), LeafSettings(stream), stages))
        case .pull(let stream):
            try check(stream)
            nodes[place] = .leaf(try add(.pull(stream), LeafSettings(stream), stages))
        case .container(let children): nodes[place] = .all(try add(children, &stages))
        case .random(let choice):
            guard !choice.nodes.isEmpty else { throw TreeFault(reason: "a random choice has no nodes") }
            guard choice.nodes.allSatisfy({ $0.weight.isFinite }), choice.uniqueSelectionQueueLength >= 0 else {
                throw TreeFault(reason: "the weights and the queue of a random choice must be numbers of 0 or more")
            }
            chances.append(
                Chance(
                    weights: choice.nodes.map { max(1, $0.weight) },
                    queueLength: min(choice.uniqueSelectionQueueLength, choice.nodes.count - 1)))
            let chance = chances.count - 1
            nodes[place] = .random(chance, try add(choice.nodes.map(\.node), &stages))
        case .choice(let choice):
            let text = try number(of: choice.parameter)
            let children = try add(choice.nodes.map(\.node), &stages)
            nodes[place] = .choice(text, zip(choice.nodes, children).map { ($0.text, $1) })
        case .blend(let blend): nodes[place] = try add(blend, &stages)
        }
        return place
    }

    private mutating func add(_ children: [SoundNode], _ stages: inout [Stage]) throws(TreeFault) -> [Int] {
        var places: [Int] = []
        for child in children { places.append(try add(child, &stages)) }
        return places
    }

    private mutating func add(_ blend: Blend, _ stages: inout [Stage]) throws(TreeFault) -> Node {
        var children: [(Envelope, Int)] = []
        let stage = try stage(SteeredValue(blend.parameter))
        for range in blend.ranges {
            stages.append(Stage(parameter: stage.parameter, envelopes: stage.envelopes + [range.envelope]))
            children.append((range.envelope, try add(range.node, &stages)))
            stages.removeLast()
        }
        return .blend(stage.parameter, children)
    }

    /// Checks what the program gives as the format of a stream, and that no other stream has its identifier.
    private func check(_ stream: SoundStream) throws(TreeFault) {
        guard (1...255).contains(stream.channelCount) else {
            throw TreeFault(reason: "the stream \"\(stream.id)\" has \(stream.channelCount) channels, and not 1 to 255")
        }
        let rate = stream.sampleRate ?? 1
        guard rate.isFinite, rate > 0 else { throw TreeFault(reason: "the stream \"\(stream.id)\" has no rate above 0") }
        for leaf in leaves {
            if let other = leaf.stream, other.id == stream.id { throw TreeFault(reason: "two streams are called \"\(stream.id)\"") }
        }
    }

    private mutating func add(_ origin: Origin, _ sound: LeafSettings, _ stages: [Stage]) throws(TreeFault) -> Int {
        guard sound.level.isFinite, sound.level >= 0 else {
            throw TreeFault(reason: "the level of \(sound.name) is \(sound.level), and not 0 or more")
        }
        guard sound.rate.isFinite else { throw TreeFault(reason: "the rate of \(sound.name) is NaN or infinite") }
        var gains = stages
        if let gain = sound.gain { gains.append(try stage(gain)) }
        if let fault = sound.mixer.fault { throw TreeFault(reason: fault) }
        for gain in sound.mixer.steeredGains { gains.append(try stage(gain)) }
        let rate: Stage? = if let rate = sound.steeredRate { try stage(rate) } else { nil }
        let sends = sound.mixer.sends
        let direct: Stage? = if let level = sends.direct?.steeredLevel { try stage(level) } else { nil }
        let room: Stage? = if let level = sends.room?.steeredLevel { try stage(level) } else { nil }
        leaves.append(Leaf(origin: origin, settings: sound, gains: gains, rate: rate, direct: direct, room: room))
        return leaves.count - 1
    }

    private mutating func stage(_ value: SteeredValue) throws(TreeFault) -> Stage {
        var (parameter, envelopes) = (value.parameter, value.envelope.map { [$0] } ?? [])
        while case .mapped(let source, let envelope) = parameter.source {
            try note(parameter)
            guard envelopes.count <= Self.mostMappings else {
                throw TreeFault(reason: "more than \(Self.mostMappings) parameters follow each other")
            }
            envelopes.insert(envelope, at: 0)
            parameter = source
        }
        return Stage(parameter: try number(of: parameter), envelopes: envelopes)
    }

    /// Notes a parameter that follows another one.
    private mutating func note(_ parameter: NumberParameter) throws(TreeFault) {
        let isTaken = numbers.contains { $0.id == parameter.id } || texts.contains { $0.id == parameter.id }
        guard !isTaken, mapped[parameter.id] ?? parameter == parameter else { throw Self.isTwice(parameter.id) }
        mapped[parameter.id] = parameter
    }

    private static func isTwice(_ id: String) -> TreeFault {
        TreeFault(reason: "two parameters \"\(id)\" have different values or ranges")
    }

    /// The number of a parameter; one name is one parameter of one kind.
    private mutating func number(of parameter: NumberParameter) throws(TreeFault) -> Int {
        if let index = numbers.firstIndex(where: { $0.id == parameter.id }) {
            guard numbers[index] == parameter else { throw Self.isTwice(parameter.id) }
            return index
        }
        guard mapped[parameter.id] == nil else { throw Self.isTwice(parameter.id) }
        guard !texts.contains(where: { $0.id == parameter.id }) else {
            throw TreeFault(reason: "\"\(parameter.id)\" is a text and a number")
        }
        numbers.append(parameter)
        return numbers.count - 1
    }

    private mutating func number(of parameter: TextParameter) throws(TreeFault) -> Int {
        if let index = texts.firstIndex(where: { $0.id == parameter.id }) {
            guard texts[index] == parameter else { throw TreeFault(reason: "two texts \"\(parameter.id)\" have different values") }
            return index
        }
        guard !numbers.contains(where: { $0.id == parameter.id }), mapped[parameter.id] == nil else {
            throw TreeFault(reason: "\"\(parameter.id)\" is a text and a number")
        }
        texts.append(parameter)
        return texts.count - 1
    }
}
