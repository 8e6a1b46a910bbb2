// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Documents of graphs: read and written without loss, and refused by name where they are wrong. Test thread.

import GraphDocuments
import TestSupport
import Testing

@Suite struct GraphDocumentTests {
    static let nodes = """
        {"id": "drums", "kind": "player", "volume": 0.5, "pan": -0.25,
         "files": [{"path": "drums.wav", "repeats": 2}, {"path": "/x/fill.wav", "at": 4.5, "from": 1, "length": 2}]},
        {"id": "room", "kind": "unit", "unit": {"id": "Reverb", "parameters": {"mix": 30}, "custom": "AAEC",
         "automation": [{"parameter": "mix", "points": [{"seconds": 0, "value": 10}, {"seconds": 2, "value": 90}]}]}},
        {"id": "bus", "kind": "mixer", "outputVolume": 0.75},
        {"id": "mic", "kind": "input"}
        """
    static let connections = """
        {"from": "drums", "to": "room"}, {"from": "drums:0", "to": "bus:3", "volume": 0.5, "pan": 1},
        {"from": "room", "to": "bus"}, {"from": "mic", "to": "main"}, {"from": "bus", "to": "main"}
        """

    static func text(_ nodes: String = nodes, _ connections: String = connections, more: String = "") -> String {
        "{\"bulkheadGraph\": 1, \"nodes\": [\(nodes)], \"connections\": [\(connections)]\(more)}"
    }

    private static let whole = text(
        more: """
            , "sampleRate": 44100, "channels": 2, "length": 6.5, "mainVolume": 0.9, "transport": {
            "tempos": [{"beat": 0, "beatsPerMinute": 90}], "signatures": [{"beat": 0, "numerator": 3, "denominator": 4}],
            "loop": {"from": 0, "to": 8}}
            """)

    private func read(_ text: String) throws(GraphDocumentError) -> GraphDocument { try GraphDocument(json: Array(text.utf8)) }

    private func complaint(_ text: String) -> String {
        do throws(GraphDocumentError) {
            _ = try read(text)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func aDocumentIsTheSameAfterItWasWritten() throws {
        let document = try read(Self.whole)
        let written = try GraphDocument(json: try document.json())
        #expect(written == document && document.nodes.count == 4 && document.connections.count == 5)
        #expect(try written.json() == document.json())
        #expect(document.nodes[0].volume == 0.5 && document.nodes[0].pan == -0.25 && document.readsInput)
        #expect(document.connections[1].to == .init("bus", bus: 3) && document.connections[1].volume == 0.5)
        #expect(document.transport?.tempoMap.beatsPerMinute(atBeat: 3) == 90 && document.transport?.loop == 0..<8)
        #expect((document.sampleRate, document.channelCount, document.length).0 == 44_100 && document.length == 6.5)
        guard case .player(let player) = document.nodes[0].kind else { throw TestFailure("it is a player") }
        #expect(player.files.map(\.repeats) == [2, 1] && player.files[1].start == 4.5 && player.files[1].from == 1)
    }

    @Test func aDocumentIsMadeByAProgram() throws {
        var player = GraphDocument.Node(id: "p", .player(.init([.init(path: "a.wav")])))
        player.volume = 2
        let unit = GraphDocument.Node(id: "u", .unit(.init("Gain", parameters: ["gain": -6])))
        let document = GraphDocument(
            nodes: [player, unit, .init(id: "m", .mixer(outputVolume: 1))],
            connections: [
                .init(from: .init("p"), to: .init("m")), .init(from: .init("m"), to: .init("u")),
                .init(from: .init("u"), to: .init("main")),
            ])
        #expect(document.defects.isEmpty)
        #expect(try GraphDocument(json: try document.json()) == document)
    }

    @Test func anEnvironmentIsWrittenAndReadAgain() throws {
        var environment = GraphDocument.Environment()
        (environment.listener, environment.outputVolume) = (.init(x: 1, y: 2, z: -3.5), 0.5)
        (environment.yaw, environment.pitch, environment.roll) = (90, -10, 5)
        var player = GraphDocument.Node(id: "p", .player(.init([.init(path: "a.wav")])))
        player.position = .init(x: -4, y: 0, z: 0.25)
        let document = GraphDocument(
            nodes: [player, .init(id: "space", .environment(environment))],
            connections: [.init(from: .init("p"), to: .init("space")), .init(from: .init("space"), to: .init("main"))])
        #expect(document.defects.isEmpty)
        #expect(try GraphDocument(json: try document.json()) == document)
    }

    @Test(arguments: [
        ("\"position\": [1, 2]", "", "space", "\"position\" cannot be understood"),
        ("\"position\": 3", "", "space", "\"position\" has the wrong type"),
        ("\"position\": [1, 2, 1e9]", "", "space", "\"position\" is 1000000000.0"),
        ("\"position\": [1, 2, 3]", "", "main", "it has a position, and leads to no environment"),
        ("\"pan\": 1", "", "space", "it has a volume or a pan, and leads to no mixer"),
        ("\"volume\": 1", ", \"pan\": 1", "space", "a connection to an environment has no pan"),
        ("\"volume\": 1", "", "space", ""),
    ])
    func whatAnEnvironmentDoesNotHeedIsADefect(field: String, level: String, destination: String, reason: String) {
        let json = """
            {"bulkheadGraph": 1, "nodes": [{"id": "p", "kind": "player", "files": [{"path": "a.wav"}], \(field)},
            {"id": "space", "kind": "environment"}],
            "connections": [{"from": "p", "to": "\(destination)"\(level)}, {"from": "space", "to": "main"}]}
            """
        let text = complaint(json) + ((try? read(json))?.defects.first.map { "\($0)" } ?? "")
        #expect(reason.isEmpty ? text.isEmpty : text.contains(reason), "\(text)")
    }

    @Test func aSavedChainIsTheSimplestGraph() throws {
        let unit = """
            {"id": "aufx:gain:blkh", "name": "Gain", "version": "1.0.0", "isolation": "individually", "parameters": {"gain": -6}}
            """
        let document = try read("{\"chain\": 1, \"units\": [\(unit), \(unit)]}")
        #expect(document.nodes.map(\.id) == ["input", "Gain", "Gain 2"])
        #expect(document.connections.map(\.description) == ["input → Gain", "Gain → Gain 2", "Gain 2 → main"])
        #expect(document.readsInput && document.defects.isEmpty)
        #expect(complaint("{\"chain\": 2, \"units\": []}").contains("as a chain, it has format 2"))
    }

    private static func changed(_ old: String, _ new: String) -> String { whole.replacing(old, with: new) }

    private static let strangers: [(text: String, reason: String)] = [
        ("", "it is not JSON, or cut short"), ("words", "it is not JSON, or cut short"), ("[]", "it is not an object"),
        ("{}", "\"bulkheadGraph\" is missing"), ("{\"train\": 1}", "\"bulkheadGraph\" is missing"),
        ("{\"bulkheadGraph\": \"one\"}", "\"bulkheadGraph\" has the wrong type"),
        ("{\"bulkheadGraph\": 2}", "made by a newer Bulkhead"), ("{\"bulkheadGraph\": 0}", "has format 0"),
        ("{\"bulkheadGraph\": 1}", "\"nodes\" is missing"),
        ("{\"bulkheadGraph\": 1, \"nodes\": 3}", "\"nodes\" has the wrong type"),
        (String(repeating: "[", count: 100_000), "This is not a graph of Bulkhead"),
        (changed("\"mixer\"", "\"blender\""), "The node \"bus\" has the kind \"blender\", which there is not"),
        (changed("\"kind\": \"mixer\", ", ""), "The node \"bus\" is malformed: \"kind\" is missing"),
        (changed("{\"id\": \"bus\", ", "{"), "\"nodes[2].id\" is missing"),
        (
            changed("\"volume\": 0.5, \"pan\": -", "\"volume\": \"loud\", \"pan\": -"),
            "\"drums\" is malformed: \"volume\" has the wrong type"
        ),
        (changed("\"path\": \"drums.wav\"", "\"path\": 7"), "\"drums\" is malformed: \"files[0].path\" has the wrong type"),
        (
            changed("\"repeats\": 2", "\"repeats\": 2, \"spaces\": 1"),
            "\"drums\" is malformed: \"files[0]\" has the key \"spaces\", which there is not; "
                + "keys are \"at\", \"from\", \"length\", \"loops\", \"path\", \"repeats\"."
        ),
        (changed("\"kind\": \"input\"", "\"kind\": \"input\", \"files\": []"), "\"mic\" is malformed: it has the key \"files\""),
        (changed("\"mix\": 30}", "\"mix\": 30}, \"mixx\": 1"), "\"room\" is malformed: \"unit\" has the key \"mixx\""),
        (changed("\"pan\": 1}", "\"pan\": 1, \"vol\": 1}"), "The graph is malformed: \"connections[1]\" has the key \"vol\""),
        (changed("\"loop\": {", "\"lop\": {"), "\"transport\" has the key \"lop\""),
        (changed("\"length\": 6.5", "\"lenght\": 6.5"), "The graph is malformed: it has the key \"lenght\""),
        (changed("\"repeats\": 2", "\"repeats\": 1.5"), "\"drums\" is malformed: a number has the wrong type"),
        (changed("\"repeats\": 2", "\"repeats\": 10000"), "parts of files"),
        (changed("\"repeats\": 2", "\"loops\": true"), "followed by another one"),
        (changed("\"repeats\": 2", "\"loops\": 1"), "\"drums\" is malformed"),
        (changed("\"repeats\": 2", "\"repeats\": 0"), "\"repeats\" is 0.0, and has to be from 1.0 to"),
        (changed("\"repeats\": 2", "\"repeats\": 9223372036854775807"), "parts of files"),
        (changed("\"at\": 4.5", "\"at\": 1e300"), "\"drums\" is malformed: \"at\" is 1e+300"),
        (changed("\"at\": 4.5", "\"at\": 1e999"), "\"drums\" is malformed: a number has the wrong type"),
        (changed("\"at\": 4.5", "\"at\": NaN"), "not JSON"),
        (changed("\"at\": 4.5", "\"at\": -1"), "\"at\" is -1.0"), (changed("\"pan\": -0.25", "\"pan\": -2"), "\"pan\" is -2.0"),
        (changed("\"drums.wav\"", "\"\""), "\"path\" is not a path"), (changed("\"drums.wav\"", "\"a\\u0000b\""), "not a path"),
        (changed("\"id\": \"Reverb\"", "\"id\": 4"), "\"room\" is malformed: \"unit.id\" has the wrong type"),
        (changed("\"mix\": 30", "\"mix\": \"wet\""), "\"unit.parameters.mix\" has the wrong type"),
        (changed("\"AAEC\"", "\"A!\""), "\"unit.custom\" cannot be understood"),
        (changed("\"seconds\": 0", "\"seconds\": -3"), "the automation of \"mix\" has a point at -3.0 seconds"),
        (changed("{\"id\": \"mic\"", "{\"id\": \"bus\""), "Two nodes are called \"bus\""),
        (changed("\"id\": \"mic\"", "\"id\": \"main\""), "cannot be called \"main\": this is the main mixer"),
        (changed("\"id\": \"mic\"", "\"id\": \"a:b\""), "a colon stands between"),
        (changed("\"id\": \"mic\"", "\"id\": \"\""), "at least one character"),
        (changed("\"id\": \"mic\"", "\"id\": \"\\u001b[2J\""), "characters that cannot be shown"),
        (changed("\"id\": \"mic\"", "\"id\": \"\(String(repeating: "m", count: 300))\""), "at most 200 bytes"),
        (changed("\"from\": \"mic\"", "\"from\": \"mike\""), "\"mike → main\" names the node \"mike\", which is not there"),
        (changed("\"from\": \"mic\"", "\"from\": \"mic:x\""), "\"connections[3].from\" cannot be understood"),
        (changed("\"from\": \"mic\"", "\"from\": \"mic:1\""), "the input has no bus 1; name it in"),
        (changed("\"from\": \"mic\"", "\"from\": \"output\""), "nothing comes from the output"),
        (changed("\"from\": \"mic\", \"to\": \"main\"", "\"from\": \"mic\", \"to\": \"drums\""), "a player has no inputs"),
        (changed("\"from\": \"mic\", \"to\": \"main\"", "\"from\": \"mic\", \"to\": \"mic\""), "the input has no inputs"),
        (
            changed("\"from\": \"mic\", \"to\": \"main\"", "\"from\": \"mic\", \"to\": \"room\""),
            "Two connections lead to input 0 of \"room\""
        ),
        (
            changed("\"from\": \"room\", \"to\": \"bus\"", "\"from\": \"room\", \"to\": \"bus:3\""),
            "Two connections lead to input 3 of \"bus\""
        ),
        (changed("\"from\": \"mic\", \"to\": \"main\"", "\"from\": \"mic\", \"to\": \"main:99999\""), "a mixer has 65536 inputs"),
        (
            changed("\"from\": \"mic\", \"to\": \"main\"", "\"from\": \"bus:0\", \"to\": \"main\""),
            "\"bus → main\" cannot be made: it is there twice"
        ),
        (changed("\"from\": \"drums\", \"to\": \"room\"", "\"from\": \"bus\", \"to\": \"room\""), "would feed each other: "),
        (changed("\"to\": \"room\"}", "\"to\": \"room\", \"volume\": 1}"), "only a connection to a mixer has a volume"),
        (
            changed("\"id\": \"mic\",", "\"id\": \"mic2\", \"volume\": 1,").replacing(
                "\"from\": \"mic\"", with: "\"from\": \"drums\""), "leads to no mixer"
        ),
        (changed("\"sampleRate\": 44100", "\"sampleRate\": 1"), "\"sampleRate\" is 1.0"),
        (changed("\"channels\": 2", "\"channels\": 65"), "\"channels\" is 65.0"),
        (changed("\"mainVolume\": 0.9", "\"mainVolume\": -1"), "\"mainVolume\" is -1.0"),
        (changed("\"beatsPerMinute\": 90", "\"beatsPerMinute\": 0"), "\"transport.tempos\" cannot be understood"),
        (changed("\"from\": 0, \"to\": 8", "\"from\": 8, \"to\": 8"), "\"transport.loop\" cannot be understood"),
        (changed("\"from\": 0, \"to\": 8", "\"from\": 0, \"to\": 1e-300"), "\"transport.loop\" is 1e-300"),
        (changed("\"from\": 0, \"to\": 8", "\"from\": 0, \"to\": 1e300"), "\"transport\" is 1e+300"),
        (text("{\"id\": \"a\", \"kind\": \"input\"}, {\"id\": \"b\", \"kind\": \"input\"}", ""), "2 nodes of the kind \"input\""),
        (text("{\"id\": \"a\", \"kind\": \"player\", \"files\": []}", ""), "\"files\" is empty"),
        (
            text((0...10_000).map { "{\"id\": \"\($0)\", \"kind\": \"mixer\"}" }.joined(separator: ","), ""),
            "The graph has 10001 nodes, and 10000 are the most."
        ),
        (
            text(
                (0...256).map { "{\"id\": \"\($0)\", \"kind\": \"unit\", \"unit\": {\"id\": \"Gain\"}}" }.joined(separator: ","), ""
            ),
            "The graph has 257 units, and 256 are the most."
        ),
    ]

    @Test(arguments: strangers) func aDocumentThatIsWrongIsRefusedWithTheReasonAndThePlace(text: String, reason: String) {
        let sentence = complaint(text)
        #expect(sentence.contains(reason), "\(sentence)")
        #expect(sentence.count < 700 && sentence.hasSuffix("."))
        #expect(!sentence.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test func theNodesOfACycleAreNamedInTheirOrder() {
        let mixers = ["a", "b", "c", "d"].map { "{\"id\": \"\($0)\", \"kind\": \"mixer\"}" }.joined(separator: ",")
        let ring = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "main")]
        let text = Self.text(mixers, ring.map { "{\"from\": \"\($0)\", \"to\": \"\($1)\"}" }.joined(separator: ","))
        #expect(complaint(text) == "These nodes would feed each other: a → b → c → a. Take one connection out.")
        #expect(
            complaint(Self.text(mixers, "{\"from\": \"main\", \"to\": \"a\"}, {\"from\": \"a\", \"to\": \"main\"}")).contains(
                "feed each other"))
    }

    @Test func tenThousandMixersInARowAreRead() throws {
        let nodes = (0..<9999).map { "{\"id\": \"\($0)\", \"kind\": \"mixer\"}" }.joined(separator: ",")
        let wires = (0..<9998).map { "{\"from\": \"\($0)\", \"to\": \"\($0 + 1)\"}" }.joined(separator: ",")
        #expect(complaint(Self.text(nodes, wires)) == "")
        #expect(complaint(Self.text(nodes, wires + ", {\"from\": \"9998\", \"to\": \"0\"}")).contains("…"))
    }

    @Test func aTornDocumentIsRefusedWhereverItIsTorn() throws {
        let whole = Array(Self.whole.utf8)
        for count in 0..<whole.count {
            #expect(throws: GraphDocumentError.self) { try GraphDocument(json: Array(whole[..<count])) }
        }
    }

    @Test func randomDamageIsRefusedOrReadButNeverFatal() throws {
        let whole = Array(Self.whole.utf8)
        var random = Seed()
        var refusedCount = 0
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do throws(GraphDocumentError) {
                // What was read can be written, and is the same afterwards.
                let read = try GraphDocument(json: bytes)
                #expect(try GraphDocument(json: try read.json()) == read, "seed \(Seed.chosen)")
            } catch {
                refusedCount += 1
                #expect("\(error)".hasSuffix("."), "seed \(Seed.chosen)")
            }
        }
        #expect(refusedCount > 1000, "seed \(Seed.chosen)")
    }
}
