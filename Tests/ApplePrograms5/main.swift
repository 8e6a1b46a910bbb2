// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs one of the programs here by its name. They import AVFoundation and nothing else, as programs for Apple's systems do.

import AVFoundation

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "render-offline": try OfflineRenderer().render(from: arguments[2], to: arguments[3])
case "convert": try FormatConversion.run()
case "siren": try Siren().render(to: arguments[2])
case "session": try AudioSession.run()
default: fatalError("Name a program.")
}
