// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs one of the programs here by its name. They import modules of Apple's systems and nothing else.

import AVFoundation

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "render-offline": try OfflineRenderer().render(from: arguments[2], to: arguments[3])
case "convert": try FormatConversion.run()
case "siren": try Siren().render(to: arguments[2])
case "moving-source": try MovingSource().render(to: arguments[2])
case "head-turn": try HeadTurn.run()
case "session": try AudioSession.run()
case "loop": try SoundPlayer().loop(arguments[2])
case "move": try SoundPlayer().move(arguments[2])
case "hurry": try SoundPlayer().hurry(arguments[2])
case "fade": try SoundPlayer().fade(arguments[2])
case "survive": try SoundPlayer().survive(arguments[2])
case "record-nothing": try SoundRecorder().recordNothing()
case "abandon": try SoundRecorder().abandon(arguments[2])
case "end-loop": try SoundPlayer().endLoop(arguments[2])
case "record": try SoundRecorder().record(arguments[2])
case "record-twice": try SoundRecorder().recordTwice(arguments[2])
case "listen": try SoundRecorder().listen(isRunning: arguments[2] == "while-running")
default: fatalError("Name a program.")
}
