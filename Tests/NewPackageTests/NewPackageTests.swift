// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A package as `bulkhead new` writes it is built, tested, bundled, validated and played, outside of this checkout.

import Foundation
import TestSupport
import Testing

private let isWanted = ProcessInfo.processInfo.environment["BULKHEAD_NEW_PACKAGE"] != nil

/// It compiles the SDK twice and the host once more, which takes minutes: `make new-package` runs it.
@Suite(.enabled(if: isWanted, "it takes minutes; make new-package runs it")) struct NewPackageTests {
    @Test func itBuildsPassesItsTestsAndValidationAndPlays() throws {
        let outside = try Outside()
        let package = "SweetEcho"
        func check(_ outcome: Outside.Outcome, _ act: String) throws {
            try #require(outcome.status == 0, "\(act): \(outcome.output.suffix(4000))")
        }
        try check(outside.bulkhead("new", "Sweet Echo"), "new")
        try check(outside.run("swift", "build", "-c", "release", "--product", package, in: package), "build")
        try check(outside.bulkhead("bundle", ".build/release/libSweetEcho.so", in: package), "bundle")
        let path = ["BULKHEAD_PATH": "\(outside.folder)/\(package)/.build/release"]
        try check(outside.bulkhead("validate", "Sweet Echo", environment: path), "validate")
        try check(outside.run("swift", "test", in: package), "test")
        try checkPlugin("\(outside.folder)/\(package)/.build/release/libSweetEcho.so", outside)
        try checkPlayer(outside, package)
    }

    /// One symbol goes out, and no library of Swift's or of C++ comes in: the linker settings have come along.
    private func checkPlugin(_ library: String, _ outside: Outside) throws {
        let symbols = try outside.run("nm", "--dynamic", "--defined-only", "--extern-only", library).output
        #expect(symbols.split(separator: "\n").count == 1 && symbols.contains(" bulkhead_plugin"), "\(symbols)")
        let needed = try outside.run("readelf", "--dynamic", library).output.split(separator: "\n").filter {
            $0.contains("(NEEDED)")
        }
        #expect(!needed.isEmpty && !needed.contains { $0.contains("swift") || $0.contains("stdc++") }, "\(needed)")
    }

    /// The player, which the tests have built, plays, takes a change of a source while it does so, and plays on.
    private func checkPlayer(_ outside: Outside, _ package: String) throws {
        let player = try outside.start(".build/debug/SweetEchoPlayer", "--driver", "null", in: package)
        defer { player.end() }
        func plays(times count: Int) -> Bool {
            player.eventually(within: 300) { $0.split(separator: "\n").count { $0.hasPrefix("Playing ") } == count }
        }
        try #require(plays(times: 1), "\(player.output)")
        let source = "\(package)/Sources/SweetEcho/SweetEcho+Parameters.swift"
        let change = outside.text(of: source).replacing("Slow Swell", with: "Slower Swell")
        try change.write(toFile: "\(outside.folder)/\(source)", atomically: true, encoding: .utf8)
        #expect(plays(times: 2) && player.isRunning, "\(player.output)")
    }
}
