// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host that plays a plug-in of a package, with its window and its recording. Test thread.

import Foundation
import Testing

/// One plug-in that plays, and whose window is open.
final class RealWindow {
    let bench: Workbench
    let screen: VirtualScreen
    let node: String
    let host: RunningCommand
    private(set) var window: RunningCommand
    let take: GrowingTake

    /// A cycle of 43 ms, so that a busy machine is seldom late.
    private static let quantum = "2048"

    /// Starts a host with the plug-in and opens its window; throws ``NoWindow`` if the plug-in brings none that can be shown.
    init(_ plugin: WindowedPlugIn, in bench: Workbench, on screen: VirtualScreen) throws {
        (self.bench, self.screen) = (bench, screen)
        try? FileManager.default.removeItem(atPath: bench.path("take.wav"))
        try bench.run("grant", plugin.id, "--window").expectOK()
        host = try bench.start(
            "play", plugin.isInstrument ? "in.mid" : "in.wav", "--driver", "null", "--quantum", Self.quantum, "--loop", "-e",
            plugin.id, "--record", "take.wav")
        try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 }, "\(plugin.id) does not play")
        node = try #require(try bench.unit().id)
        do {
            window = try Self.open(node, in: bench)
            take = try GrowingTake(bench.path("take.wav"))
        } catch {
            host.send(SIGKILL)
            throw error
        }
    }

    private static func open(_ node: String, in bench: Workbench) throws -> RunningCommand {
        let window = try bench.start(["window", node])
        let isOpen = eventually(within: 30) { window.output.contains("is open") || window.hasEnded }
        guard isOpen, !window.hasEnded else { throw NoWindow(reason: window.wait(seconds: 1).errors) }
        return window
    }

    /// Opens the window again, and closes it before if it is still open.
    func reopen() throws {
        window.send(SIGINT)
        _ = window.wait(seconds: 10)
        window = try Self.open(node, in: bench)
    }

    deinit {
        window.send(SIGINT)
        host.send(SIGINT)
        _ = eventually(within: 5) { window.hasEnded && host.hasEnded }
    }

    /// The size of the window, once it no longer grows.
    func size() throws -> (width: Int, height: Int) {
        var size = (width: 0, height: 0)
        _ = try eventually(within: 3) {
            usleep(500_000)
            let now = try screen.size(ofWindow: node) ?? (0, 0)
            defer { size = now }
            return now.width > 0 && now == size
        }
        try #require(size.width > 0, "there is no window called \(node)")
        return size
    }

    /// Measures what is heard from now on: three times the signal, in step with it.
    ///
    /// Where the unit was late, its input was heard: then it is measured again.
    func measure() throws -> Measurement {
        for _ in 0..<6 {
            let late = try bench.unit().late
            let measured = try measure(from: take.frameCount + GrowingTake.delay + 9600, periods: 3)
            if try bench.unit().late == late { return measured }
        }
        throw TooBusy()
    }

    /// Measures from where the signal begins again.
    func measure(from frame: Int, periods: Int) throws -> Measurement {
        let start = (frame + TestSignal.period - 1) / TestSignal.period * TestSignal.period
        let stretches = try (0..<periods).map { number in
            let begin = start + number * TestSignal.period
            return BandLevels(try take.samples(begin..<begin + TestSignal.period))
        }
        return Measurement(stretches: stretches)
    }
}

/// The unit was late in each measurement.
struct TooBusy: Error {}

/// Why a window was not opened.
struct NoWindow: Error { let reason: String }
