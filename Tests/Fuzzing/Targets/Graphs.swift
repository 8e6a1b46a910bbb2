// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Graphs as documents, and MIDI files as songs. The fuzzer's thread.

import AudioGraph
import GraphDocuments

extension FuzzTarget {
    /// The command `graph`: a document, or a saved chain as a graph.
    static let graph = FuzzTarget("graph", seeds: [GraphSeeds.whole, GraphSeeds.chain].map { Array($0.utf8) }) { bytes in
        do throws(GraphDocumentError) {
            let document = try GraphDocument(json: bytes)
            let written = try document.json()
            let again = try GraphDocument(json: written)
            let rewritten = try again.json()
            precondition(rewritten == written, "not the same again")
            precondition(document.order.count == document.nodes.count + 2, "an order without all nodes")
        } catch {
            precondition("\(error)".hasSuffix("."), "no sentence")
        }
    }

    /// A MIDI file as commands play it.
    static let midiSong = FuzzTarget("song", seeds: try midiFile.seeds()) { bytes in
        guard let song = try? MIDISongFile(path: FuzzedFile.path(holding: bytes)) else { return }
        precondition(song.seconds >= 0 && song.seconds.isFinite && song.lengthInBeats.isFinite)
    }
}

private enum GraphSeeds {
    static let whole = """
        {"bulkheadGraph":1,"channels":2,"length":2,"mainVolume":0.5,"sampleRate":48000,
        "transport":{"tempos":[{"beat":0,"beatsPerMinute":90}],"loop":{"from":0,"to":4}},
        "midi":{"files":[{"id":"s","path":"a.mid"}],"ports":[{"id":"k"}],"routes":[{"from":"s","to":"u","channels":[1]}]},
        "nodes":[{"id":"p","kind":"player","volume":0.5,"files":[{"path":"a.wav","at":1,"from":0.5,"length":1,"repeats":2}]},
        {"id":"u","kind":"unit","unit":{"id":"Gain","parameters":{"gain":-6},"texts":{"a":"b"},
        "automation":[{"parameter":"gain","points":[{"seconds":0,"value":1}]}]}},{"id":"m","kind":"mixer","outputVolume":2},
        {"id":"e","kind":"environment","yaw":5},{"id":"i","kind":"input"},
        {"id":"q","kind":"player","position":[1,2,3],"files":[{"path":"b.wav","loops":true}]}],
        "inputBuses":[{"name":"side"}],"outputBuses":[{"name":"sub","channels":1}],
        "connections":[{"from":"p","to":"u"},{"from":"u","to":"m","volume":0.5,"pan":-1},{"from":"m","to":"main"},
        {"from":"i:1","to":"main:3"},{"from":"q","to":"e"},{"from":"e","to":"main"},{"from":"m","to":"output:1"}]}
        """
    static let chain = """
        {"chain":1,"units":[{"id":"aufx:gain:blkh","name":"Gain","version":"1.0.0","isolation":"individually",
        "parameters":{"gain":-6}}]}
        """
}
