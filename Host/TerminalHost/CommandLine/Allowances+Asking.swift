// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Asks on the terminal for the rights of a document, and prints the rights that a plug-in has lost. Main thread.

import Console
import Glibc
import PluginHosting
import Synchronization

extension Allowances {
    /// The same rights, with a question on the terminal for the others.
    var asking: Allowances {
        guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else { return self }
        var asking = self
        asking.ask = { wish in Terminal.confirm("\(wish). Allow that?") }
        return asking
    }
}

extension Terminal {
    /// Asks a question; any answer but yes is no.
    ///
    /// Threads that ask at once take turns.
    static func confirm(_ question: String) -> Bool {
        questions.withLock { _ in ask(question) }
    }

    private static let questions = Mutex<Void>(())

    private static func ask(_ question: String) -> Bool {
        printError("\(question) [y/N]")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Prints the rights that a plug-in has lost because it has changed.
    static func printLapsedRights(_ component: Component) {
        for path in component.rights?.granted.keys.sorted() ?? [] where !component.granted.contains(path) {
            printError("\"\(component.name)\" may not read \"\(path)\": it is gone, or there is a link in that path now.")
        }
        guard let lapsed = component.lapsedRights else { return }
        let what = lapsed.allowances.joined(separator: ", ")
        let why =
            switch lapsed.change {
            case .moved(let from, let to): "you allowed that to the one in \"\(from)\", and this is the one in \"\(to)\""
            case .altered(let path): "\"\(path)\" has changed since you allowed that"
            }
        printError(
            "\"\(component.name)\" may no longer \(what): \(why). To see it: bulkhead info \(ShellWord.quoted(component.id))")
    }
}
