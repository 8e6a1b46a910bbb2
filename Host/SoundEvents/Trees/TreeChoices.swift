// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Chooses the sounds of a starting event. Control thread.

/// The state of a registered tree's choices by chance.
///
/// It belongs to the tree and not to an event, since an event starts once: the last choices of all its events are remembered.
struct TreeChoices: Sendable {
    private var random: SeededRandom
    /// The seeds of events, beside their choices.
    private var seeds: SeededRandom
    /// The last choices of each random node, the newest last.
    private var last: [[Int]]

    init(_ program: TreeProgram, seed: UInt64) {
        random = SeededRandom(seed: seed)
        seeds = SeededRandom(seed: seed, part: "events")
        last = Array(repeating: [], count: program.chances.count)
    }

    /// The seed of the next event's own chances.
    mutating func nextSeed() -> UInt64 { seeds.next() }

    /// The leaves that sound, in the order of the tree.
    mutating func leaves(of program: TreeProgram, texts: [String]) -> [Int] {
        var leaves: [Int] = []
        walk(0, program, texts, &leaves)
        return leaves
    }

    private mutating func walk(_ place: Int, _ program: TreeProgram, _ texts: [String], _ leaves: inout [Int]) {
        switch program.nodes[place] {
        case .leaf(let leaf): leaves.append(leaf)
        case .all(let children): for child in children { walk(child, program, texts, &leaves) }
        case .random(let chance, let children): walk(children[choose(chance, program)], program, texts, &leaves)
        case .choice(let text, let children):
            if let chosen = children.first(where: { $0.text == texts[text] }) { walk(chosen.node, program, texts, &leaves) }
        case .blend(_, let children): for child in children { walk(child.node, program, texts, &leaves) }
        }
    }

    /// Chooses by weight among the nodes that none of the last starts has chosen.
    private mutating func choose(_ number: Int, _ program: TreeProgram) -> Int {
        let chance = program.chances[number]
        let free = chance.weights.indices.filter { !last[number].contains($0) }
        let sum = free.reduce(0) { $0 + chance.weights[$1] }
        var rest = random.nextShare() * sum
        var chosen = free.last ?? 0
        for index in free {
            rest -= chance.weights[index]
            if rest < 0 {
                chosen = index
                break
            }
        }
        if chance.queueLength > 0 {
            last[number].append(chosen)
            if last[number].count > chance.queueLength { last[number].removeFirst() }
        }
        return chosen
    }
}

/// A generator of numbers that are the same for the same seed on every machine.
///
/// Source: SplitMix64, by G. L. Steele, D. Lea and C. H. Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).
struct SeededRandom: Sendable {
    private var state: UInt64

    @_noLocks init(seed: UInt64) { state = seed }

    /// The seed from which the next numbers follow.
    var seed: UInt64 { state }

    /// Makes the seed of a part, which no other part has.
    init(seed: UInt64, part: String) {
        var state = seed
        for byte in part.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        self.init(seed: state)
    }

    @_noLocks
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 on, below 1.
    @_noLocks
    mutating func nextShare() -> Double { Double(next() >> 11) * 0x1p-53 }
}
