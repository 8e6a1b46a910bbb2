// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The completion scripts in real shells: bash, and zsh and fish where they are installed.

import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct ShellCompletionTests {
        /// A line, and what it becomes when the Tab key is pressed at its end.
        struct Line: Sendable {
            let typed, completed: String

            init(_ typed: String, _ completed: String) { (self.typed, self.completed) = (typed, completed) }
        }

        static let lines = [
            Line("bulkhead rend", "render"), Line("bulkhead info aufx:rv", "aufx:rvrb:blkh"),
            Line("bulkhead play x -e Rev", "Reverb"), Line("bulkhead play x --isolation=by-p", "--isolation=by-plugin"),
            Line("bulkhead play x -e Reverb --preset Small\\ R", "Small Room"),
            Line("bulkhead play x -e Reverb --preset \"Small R", "Small Room"),
            Line("bulkhead play x -e aufx:gain:blkh --set ga", "gain="),
            Line("bulkhead measure --waiting futex,ad", "futex,adaptive"),
            Line("bulkhead chain sa", "save"),
        ]

        /// Runs a script of a shell in a folder with the completions, where the command is called bulkhead.
        private func run(_ shell: String, _ script: String) throws -> Outcome {
            let bench = try Commands.ManualCommandTests.bench()
            try script.write(toFile: bench.path("script"), atomically: true, encoding: .utf8)
            try "".write(toFile: bench.path("input file.wav"), atomically: true, encoding: .utf8)
            return try bench.run([], shell: "PATH=\(Build.folder):$PATH exec \(shell) script")
        }

        /// Bash is told the parts of each line as it splits them.
        @Test func bashCompletes() throws {
            let calls = Self.lines.map { line in
                let parts = Self.parts(of: line.typed)
                let quoted = parts.map { "'\($0)'" }.joined(separator: " ")
                return "complete_line '\(line.typed)' \(quoted)"
            }
            let outcome = try run(
                "bash",
                """
                compopt() { :; }
                source share/bash-completion/completions/bulkhead
                complete_line() {
                    COMP_LINE=$1 COMP_POINT=${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
                    _bulkhead
                    echo "${COMPREPLY[@]}"
                }
                \(calls.joined(separator: "\n"))
                """)
            outcome.expectSuccess()
            let replies = outcome.output.split(separator: "\n").map { $0.replacing("\\", with: "") }
            try #require(replies.count == Self.lines.count, "\(outcome.output)")
            for (line, reply) in zip(Self.lines, replies) {
                // Bash keeps what is typed up to the last ":" or "=".
                let last = line.typed.split(separator: " ").last ?? ""
                let kept = last.lastIndex { $0 == ":" || $0 == "=" }.map { last[...$0].count } ?? 0
                #expect(reply == line.completed.dropFirst(kept), "\(line.typed)")
            }
        }

        /// As bash splits a line: at spaces outside of quotes, and before and after ":" and "=".
        private static func parts(of line: String) -> [String] {
            var (parts, part, isQuoted, isEscaped) = ([String](), "", false, false)
            for character in line {
                let isPlain = isQuoted || isEscaped
                if character == " ", !isPlain {
                    parts.append(part)
                    part = ""
                } else if character == ":" || character == "=", !isPlain {
                    parts += [part, String(character)]
                    part = ""
                } else {
                    part.append(character)
                }
                if character == "\"" { isQuoted.toggle() }
                isEscaped = character == "\\"
            }
            return parts + [part]
        }

        @Test(.enabled(if: Commands.ManualCommandTests.has("fish"), "fish is not installed")) func fishCompletes() throws {
            let lines = Self.lines + [Line("bulkhead render in", "input file.wav")]
            let calls = lines.map { "complete -C '\($0.typed)'" }
            let outcome = try run(
                "fish", (["source share/fish/vendor_completions.d/bulkhead.fish"] + calls).joined(separator: "\n"))
            let replies = outcome.output.split(separator: "\n").map { line in
                String(line.prefix(while: { $0 != "\t" })).replacing("\\", with: "")
            }
            #expect(replies == lines.map(\.completed), "\(outcome.errors)")
        }

        /// The lines are typed on a terminal of zsh's own.
        @Test(.enabled(if: Commands.ManualCommandTests.has("zsh"), "zsh is not installed")) func zshCompletes() throws {
            let calls = Self.lines.map { "complete_line '\($0.typed)' '\($0.completed.split(separator: " ").last ?? "")'" }
            let outcome = try run(
                "timeout -s KILL 25 zsh -f",
                """
                zmodload zsh/zpty
                zpty terminal zsh -f -i
                read_until() {
                    local output all= i
                    for i in {1..100}; do
                        zpty -r -t terminal output && all+=$output
                        [[ $all == *${~1}* ]] && return 0
                        sleep 0.03
                    done
                    return 1
                }
                zpty -w terminal 'fpath=(share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; setopt nobeep; PS1=re"ady> "'
                read_until 'ready> '
                complete_line() {
                    zpty -w -n terminal "$1"$'\\t'
                    read_until "${(b)2}" && print -r -- "$1"
                    zpty -w -n terminal $'\\x15'
                }
                \(calls.joined(separator: "\n"))
                zpty -d terminal
                """)
            #expect(outcome.output.split(separator: "\n").map(String.init) == Self.lines.map(\.typed), "\(outcome.errors)")
        }
    }
}
