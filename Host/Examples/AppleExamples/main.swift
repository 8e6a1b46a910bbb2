// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs the example that the first argument names, with the other arguments. Main thread.

import AVFoundation

let words = Array(CommandLine.arguments.dropFirst(2))
switch CommandLine.arguments.dropFirst().first {
case "AmbienceBed": AmbienceBed.main(words)
case "CommandLinePlayer": CommandLinePlayer.main(words)
case "OfflineBounce": OfflineBounce.main(words)
case "VoiceRecorder": VoiceRecorder.main(words)
default:
    print("usage: AppleExamples EXAMPLE [WORD…]\nAn example is a folder in Host/Examples/AppleExamples.")
    exit(2)
}
