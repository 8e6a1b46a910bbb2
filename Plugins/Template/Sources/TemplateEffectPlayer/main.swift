// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a loop through the extension while you write: save a file, and hear the change. Main thread.

import Foundation
import PipeWireIO
import PluginHosting
import Rendering

let help = """
    Plays a loop through Template Effect in its own process. When a source changes, it builds the extension and puts the new
    one in the place of the old one, while the loop plays on.

        swift run -c release TemplateEffectPlayer [--driver pipewire|null] [--seconds N]

      --driver   who asks for the audio; null is a timer, for machines without sound
      --seconds  stop after so many seconds; Ctrl-C stops it without that

    It calls bulkhead, or what the variable BULKHEAD names, to make bundles.
    """

/// Prints a line at once.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// The value of an option of the command line, if it is given.
func value(of option: String) -> String? {
    let words = CommandLine.arguments
    guard let position = words.firstIndex(of: option), position + 1 < words.count else { return nil }
    return words[position + 1]
}

/// Plays until the time is over.
func play() async throws {
    var workshop = try Workshop()
    // In a build of Bulkhead, the helpers of a host are in the command's folder.
    HostConfiguration.current.supportFolders.append(Workshop.commandFolder)
    // Both drivers are asked for the loop's sample rate.
    var node = PipeWireConfiguration(nodeName: "TemplateEffectPlayer", description: "Template Effect")
    node.sampleRate = 48_000
    let driver: any AudioDriver =
        value(of: "--driver") == "null"
        ? NullDriver(channelCount: 2, quantum: 1024, sampleRate: 48_000) : PipeWireDriver(node)
    let player = try LoopPlayer(driver: driver, sampleRate: 48_000)
    let end = value(of: "--seconds").flatMap { Double($0) }.map { Date(timeIntervalSinceNow: $0) } ?? .distantFuture
    while Date() < end {
        do {
            try workshop.buildIfNeeded()
            if workshop.hasNewBundle() {
                try await player.load(bundle: workshop.bundle)
                say("Playing \(workshop.bundle). Change a file in Sources/TemplateEffect to hear the difference.")
            }
        } catch {
            say("\(error)")
        }
        player.newFaults().forEach(say)
        if let failure = driver.failure { throw PlayerError(failure) }
        try await Task.sleep(for: .milliseconds(200))
    }
}

if CommandLine.arguments.contains("--help") {
    say(help)
} else {
    do {
        try await play()
    } catch {
        say("\(error)")
        exit(1)
    }
}
