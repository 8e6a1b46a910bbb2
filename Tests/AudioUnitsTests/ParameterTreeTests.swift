// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Parameter trees: key paths, addresses, and what makes a tree malformed. Test thread.

import AudioUnits
import Testing

@Suite struct ParameterTreeTests {
    private static func parameter(_ identifier: String, _ address: UInt64, default value: Double = 0) -> Parameter {
        Parameter(identifier, name: identifier, address: address, range: 0...1, default: value)
    }

    private static let tree = ParameterTree([
        .parameter(parameter("mix", 1)),
        .group(
            ParameterGroup(
                "filter", name: "Filter",
                [
                    .parameter(parameter("cutoff", 2)),
                    .group(ParameterGroup("envelope", name: "Envelope", [.parameter(parameter("attack", 3))])),
                ])),
    ])

    private func expectMalformed(
        _ nodes: [ParameterNode], _ fragment: String, _ location: SourceLocation = #_sourceLocation
    ) {
        do throws(UnitError) {
            try ParameterTree(nodes).validate()
            Issue.record("the tree is taken for well formed", sourceLocation: location)
        } catch {
            guard case .malformedTree(let reason) = error else {
                Issue.record("\(error)", sourceLocation: location)
                return
            }
            #expect(reason.contains(fragment), sourceLocation: location)
        }
    }

    @Test func keyPathsLeadFromTheRoot() {
        #expect(Self.tree.parameters.map(\.keyPath) == ["mix", "filter.cutoff", "filter.envelope.attack"])
        #expect(Self.tree[keyPath: "filter.envelope.attack"]?.address == 3)
        #expect(Self.tree[keyPath: "attack"] == nil)
        #expect(Self.tree[keyPath: "filter"] == nil)
        #expect(Self.tree.keyPath(ofAddress: 2) == "filter.cutoff")
        #expect(Self.tree[address: 9] == nil && Self.tree.keyPath(ofAddress: 9) == nil)
    }

    @Test func aProperTreeIsWellFormed() throws { try Self.tree.validate() }

    @Test func anAddressCannotBeTakenTwice() {
        expectMalformed([.parameter(Self.parameter("a", 1)), .parameter(Self.parameter("b", 1))], "address 1 of \"b\"")
    }

    @Test func siblingsCannotShareAnIdentifierAndCousinsCan() throws {
        expectMalformed(
            [.parameter(Self.parameter("a", 1)), .group(ParameterGroup("a", name: "", []))], "\"a\" appears twice")
        try ParameterTree([
            .group(ParameterGroup("left", name: "", [.parameter(Self.parameter("a", 1))])),
            .group(ParameterGroup("right", name: "", [.parameter(Self.parameter("a", 2))])),
        ]).validate()
    }

    @Test(arguments: ["", ".", "a.b", "a=b", "="])
    func anIdentifierHasNeitherDotNorEqualsSign(identifier: String) {
        expectMalformed([.parameter(Self.parameter(identifier, 1))], "is not an identifier")
        expectMalformed(
            [.group(ParameterGroup("outer", name: "", [.group(ParameterGroup(identifier, name: "", []))]))],
            "is not an identifier")
    }

    @Test func theDefaultLiesInTheRange() {
        expectMalformed([.parameter(Self.parameter("a", 1, default: 1.5))], "default of \"a\"")
        expectMalformed([.parameter(Self.parameter("a", 1, default: .nan))], "default of \"a\"")
    }

    @Test func theRangeIsFinite() {
        let endless = Parameter("a", name: "", address: 1, range: 0...Double.infinity, default: 0)
        expectMalformed([.parameter(endless)], "not finite")
    }

    @Test func groupsNestSixteenDeepAndNoDeeper() throws {
        func nested(_ depth: Int) -> ParameterNode {
            depth == 0
                ? .parameter(Self.parameter("leaf", 1)) : .group(ParameterGroup("g", name: "", [nested(depth - 1)]))
        }
        try ParameterTree([nested(16)]).validate()
        expectMalformed([nested(17)], "deeper than 16")
    }

    @Test func sixteenThousandParametersAreTheMost() throws {
        let most = (0..<16_384).map { ParameterNode.parameter(Self.parameter("p\($0)", UInt64($0))) }
        try ParameterTree(most).validate()
        expectMalformed(most + [.parameter(Self.parameter("last", 99_999))], "16385 parameters")
    }
}
