// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An X server without a screen, and a hand that clicks, drags and turns the wheel there. Test thread.

import Foundation
import Testing

/// Xvfb, which lives as long as the object.
final class VirtualScreen {
    /// The display, such as `:1`.
    let display: String
    private let server = Process()
    private let folder: String

    /// Starts a server whose screen has such a size and depth.
    init(size: String = "800x600x24") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("screen-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let told = "\(folder)/display"
        _ = FileManager.default.createFile(atPath: told, contents: nil)
        server.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
        server.arguments = ["-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp"]
        server.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: told))
        server.standardError = FileHandle.nullDevice
        try server.run()
        var number: String?
        _ = eventually(within: 20) {
            let text = String(decoding: FileManager.default.contents(atPath: told) ?? Data(), as: UTF8.self)
            number = text.hasSuffix("\n") ? text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
            return number != nil
        }
        display = ":" + (try #require(number, "Xvfb did not begin"))
    }

    deinit {
        // The thread that started it blocks the other signals, and so does the server.
        kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
        for trace in ["/tmp/.X\(display.dropFirst())-lock", "/tmp/.X11-unix/X\(display.dropFirst())"] { unlink(trace) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Clicks at a point of the screen; without a window manager the first window is in its upper left corner.
    func click(_ x: Int, _ y: Int) throws { _ = try hand("mousemove", "\(x)", "\(y)", "click", "1") }

    /// Drags from a point to others above it, or below it by negative numbers of pixels, at the pace of a hand.
    func drag(_ x: Int, _ y: Int, up pixels: Int...) throws {
        let steps = 6
        var last = 0
        var words = ["mousemove", "\(x)", "\(y)", "sleep", "0.02", "mousedown", "1", "sleep", "0.02"]
        for goal in pixels {
            for step in 1...steps {
                let height = y - last - (goal - last) * step / steps
                words += ["mousemove", "\(x)", "\(max(0, height))", "sleep", "0.015"]
            }
            last = goal
        }
        _ = try Self.hand(words + ["sleep", "0.03", "mouseup", "1"], ["DISPLAY": display])
    }

    /// Turns the wheel at a point by some clicks, upwards or downwards.
    func wheel(_ x: Int, _ y: Int, up clicks: Int) throws {
        _ = try hand(
            "mousemove", "\(x)", "\(y)", "sleep", "0.02", "click", "--repeat", "\(abs(clicks))", "--delay", "10",
            clicks > 0 ? "4" : "5")
    }

    /// Presses a key, such as `Escape`, where the pointer is.
    func press(_ key: String) throws { _ = try hand("key", key) }

    /// The size of the window with such a title; nil if there is none.
    func size(ofWindow name: String) throws -> (width: Int, height: Int)? {
        let title = "^" + NSRegularExpression.escapedPattern(for: name)
        let told = try hand("search", "--onlyvisible", "--name", title, "getwindowgeometry", "--shell")
        func number(_ key: String) -> Int? {
            told.split(separator: "\n").first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) }
        }
        guard let width = number("WIDTH="), let height = number("HEIGHT=") else { return nil }
        return (width, height)
    }

    /// Whether a window with such a title is there.
    func hasWindow(called name: String) throws -> Bool { try !hand("search", "--name", "^\(name)").isEmpty }

    /// Closes the window with such a title.
    func close(_ name: String) throws { _ = try hand("search", "--name", "^\(name)", "windowclose") }

    /// Whether a server lets a client in that has these cookies.
    static func answers(at display: String, authority: String) throws -> Bool {
        try hand(["getdisplaygeometry"], ["DISPLAY": display, "XAUTHORITY": authority]).contains(" ")
    }

    private func hand(_ arguments: String...) throws -> String { try Self.hand(arguments, ["DISPLAY": display]) }

    private static func hand(_ arguments: [String], _ variables: [String: String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/xdotool")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }
}
