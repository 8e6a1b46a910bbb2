// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host that plays an LV2 plug-in with a window, on an X server of the test's own. Test thread.

import Foundation
import TestSupport
import Testing

/// A host, and what opens windows beside it.
final class WindowBench {
    let screen: VirtualScreen
    let bench: Workbench
    let host: RunningCommand

    /// Plays a tone through a plug-in of windowed.lv2, which is called by its name there; `options` go to `play`.
    init(_ plugin: String, _ options: String...) throws {
        screen = try VirtualScreen()
        bench = try Workbench(adding: ["DISPLAY": screen.display])
        try bench.writeTone()
        try FileManager.default.createDirectory(atPath: bench.path("lv2"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(Build.testPluginFolder)/LV2/windowed.lv2", toPath: bench.path("lv2/windowed.lv2"))
        host = try bench.start(["play", "in.wav", "--driver", "null", "--loop", "-e", Self.id(plugin)] + options)
        let bench = bench
        try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
    }

    deinit { host.send(SIGKILL) }

    static func id(_ plugin: String) -> String { "lv2:urn:bulkhead:test:\(plugin)" }

    /// Consents to the window of a plug-in.
    func grant(_ plugin: String) throws { try bench.run("grant", Self.id(plugin), "--window").expectOK() }

    /// Opens the window of a node; what it is told goes to the file `told`.
    func open(_ node: String, _ options: String...) throws -> RunningCommand { try open(node, options) }

    func open(_ node: String, _ options: [String]) throws -> RunningCommand {
        let command = try bench.start(
            ["window", node] + options, shell: "BULKHEAD_TEST_WINDOW='\(bench.path("told"))' exec \"$@\"")
        try #require(eventually(within: 20) { command.output.contains("is open") }, "\(command.output)")
        return command
    }

    /// The lines that the window was told: a port and its value.
    var told: [String] { String(decoding: bench.bytes("told"), as: UTF8.self).split(separator: "\n").map(String.init) }

    func value(_ path: String) throws -> String { try bench.run("ctl", "get", path).output }

    func health() throws -> [String] { try bench.unit().health }
}

/// What a host tells of its first unit.
struct UnitRow {
    /// The row of the status.
    let fields: [String: Any]

    var id: String? { fields["id"] as? String }
    var process: pid_t? { fields["process"] as? pid_t }
    var late: Int? { fields["late"] as? Int }

    /// What a fault or a late block would change.
    var health: [String] { survival + told(["faults", "late"]) }
    /// What the end of the process would change.
    var survival: [String] { told(["process", "restarts", "state"]) }

    private func told(_ names: [String]) -> [String] { names.map { "\($0) \(fields[$0].map { "\($0)" } ?? "nil")" } }
}

extension Workbench {
    /// The first unit of the host that plays.
    func unit() throws -> UnitRow {
        let status = try run("ctl", "status", "--json").output
        let object = try #require(try JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any])
        let nodes = try #require(object["nodes"] as? [[String: Any]])
        return UnitRow(fields: try #require(nodes.first { $0["plugin"] != nil }))
    }
}

extension Outcome {
    /// Expects success while other processes of the bench go on.
    func expectOK(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(status == 0 && errors.isEmpty, "\(errors)", sourceLocation: sourceLocation)
    }
}
