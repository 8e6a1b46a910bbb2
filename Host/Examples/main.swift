// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs the example that the first argument names, with the other arguments. Main thread.

import Glibc

let words = Array(CommandLine.arguments.dropFirst(2))
switch CommandLine.arguments.dropFirst().first {
case "BallGame": await BallGame.main(words)
case "EchoTouch": await EchoTouch.main(words)
case "GamingSetup": await GamingSetup.main(words)
case "HostOneUnit": await HostOneUnit.main(words)
case "Karaoke": await Karaoke.main(words)
case "MidiFilePlayer": await MidiFilePlayer.main(words)
case "MixingBetweenEffects": await MixingBetweenEffects.main(words)
case "OwnNodes": await OwnNodes.main(words)
case "RecordPerformance": await RecordPerformance.main(words)
case "RotatingBed": await RotatingBed.main(words)
case "SideChain": await SideChain.main(words)
case "SignalGenerator": await SignalGenerator.main(words)
case "SimplePlayEngine": await SimplePlayEngine.main(words)
case "Siren": await Siren.main(words)
case "StreamingEqualizer": await StreamingEqualizer.main(words)
default:
    print("usage: Examples EXAMPLE [WORD…]\nAn example is a folder in Host/Examples.")
    exit(2)
}
