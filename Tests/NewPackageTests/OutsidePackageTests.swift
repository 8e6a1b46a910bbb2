// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tests/OutsidePackage, another package, builds with the products of this one, and its host renders through its plug-in.

import Foundation
import TestSupport
import Testing

/// It compiles both libraries once more, in .build/outside; a second run takes a few seconds.
@Suite(.enabled(if: Sample.isWhole, "it takes two minutes; make deep runs it"), .timeLimit(.minutes(10)))
struct OutsidePackageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    @Test func anotherPackageHostsAPlugInOfItsOwn() throws {
        let outside = try Outside()
        let scratch = "\(Self.root)/.build/outside"
        func check(_ outcome: Outside.Outcome, _ act: String) throws -> String {
            try #require(outcome.status == 0, "\(act): \(outcome.output.suffix(4000))")
            return outcome.output
        }
        let package = ["--package-path", "\(Self.root)/Tests/OutsidePackage", "--scratch-path", scratch]
        _ = try check(outside.run("swift", "build", package[0], package[1], package[2], package[3]), "build")
        _ = try check(outside.bulkhead("bundle", "\(scratch)/debug/libHalver.so", "--folder", outside.folder), "bundle")
        let host = "\(scratch)/debug/OutsideHost"
        let output = try check(outside.run(host, "\(outside.folder)/Halver.bulkhead", Build.folder), "host")
        let lines = output.split(separator: "\n").map(String.init)
        let refusal = "factor is not 2.0 but in 0.0...1.0"
        #expect(
            lines == ["aufx:half:outs 1.0.0", refusal, "out of process 0.25", refusal, "in process 0.25"])
        let engine = try check(outside.run("\(scratch)/debug/OutsideEngine"), "engine")
        #expect(engine == "The last frame is 0.5.\n")
    }
}
