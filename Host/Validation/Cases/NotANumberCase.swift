// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// NaN and infinity in the input, and the recovery of the output. Thread of the case.

import PluginHosting

struct NotANumberCase: ValidationCase {
    static let name = "not-a-number"
    static let summary = "NaN and infinity in do not stay after the input is clean, or at least not after a reset"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let poisons: [(name: String, value: Float)] = [
            ("NaN", .nan), ("infinity", .infinity), ("minus infinity", -.infinity),
            ("the largest number", .greatestFiniteMagnitude),
        ]
        let bench = try Bench(trial, try trial.open())
        var (passing, staying) = ([String](), [String]())
        for (name, value) in poisons {
            trial.doing("hearing \(name)")
            let poisoned = try bench.render(Sound.every(bench.channelCount, frameCount: 64) { _ in value })
            if !poisoned.isFinite { passing.append(name) }
            trial.doing("hearing noise after \(name)")
            // Long enough for a bad sample to pass through, even if it is very late.
            _ = try bench.renderNoise(max(9600, bench.member.latencyFrameCount + 512))
            if try bench.renderNoise(512).isFinite { continue }
            try reset(bench, name, trial)
            staying.append(name)
        }
        try bench.close()
        if !passing.isEmpty { trial.remark("It puts out NaN or infinity while it hears \(passing.joined(separator: ", ")).") }
        if !staying.isEmpty {
            trial.warn("After \(staying.joined(separator: ", ")) it puts out nothing but NaN until it is reset.")
        }
    }

    private static func reset(_ bench: Bench, _ name: String, _ trial: Trial) throws(CaseEnd) {
        trial.doing("hearing noise after \(name) and a reset")
        try trial.attempt { () throws(HostingError) in try bench.unit.reset() }
        guard try bench.renderNoise(1024).isFinite else {
            throw .failed("After \(name) it puts out nothing but NaN, even after a reset.")
        }
    }
}
