// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The manual that `make install` installs: written, complete, and shown by man without a warning.

import Foundation
import Testing

extension Commands {
    @Suite struct ManualCommandTests {
        /// Whether a program can be found.
        static func has(_ program: String) -> Bool {
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }

        /// A bench with topics, whose manual is in "share".
        static func bench() throws -> Workbench {
            let bench = try Workbench()
            try FileManager.default.createDirectory(atPath: bench.path("topics"), withIntermediateDirectories: true)
            let text =
                "# Isolation of plug-ins\n\nEach has `a process`.\n\n## More\n\n- one\n- two: 5 µs … 6 µs\n\nThen:\n\n    .code -x 'y'\n"
            try text.write(toFile: bench.path("topics/isolation.md"), atomically: true, encoding: .utf8)
            try "# Files of chains\n\nText.\n".write(toFile: bench.path("topics/chain.md"), atomically: true, encoding: .utf8)
            let outcome = try bench.run("manual", "--folder", "share", "--topics", "topics")
            outcome.expectSuccess()
            return bench
        }

        @Test func thePagesAndTheCompletionsAreWhereASystemLooksForThem() throws {
            let bench = try Self.bench()
            let wanted = [
                "man/man1/bulkhead.1", "man/man1/bulkhead-render.1", "man/man7/bulkhead-isolation.7", "man/man5/bulkhead-chain.5",
                "bash-completion/completions/bulkhead", "zsh/site-functions/_bulkhead", "fish/vendor_completions.d/bulkhead.fish",
            ]
            for name in wanted { #expect(bench.exists("share/\(name)"), "\(name)") }
        }

        @Test(.enabled(if: has("man"), "man is not installed"), arguments: ["C", "C.UTF-8"])
        func manShowsEveryPageWithoutAWarning(locale: String) throws {
            let bench = try Self.bench()
            let script = """
                for page in share/man/*/*; do LC_ALL=\(locale) MANWIDTH=80 man --warnings -l "$page" 2>&1 >shown || exit 1
                grep -q 'SEE ALSO' shown || echo "$page is cut short"; done
                """
            let outcome = try bench.run([], shell: script)
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)\(outcome.errors)")
        }

        @Test func whatCannotBeMadeIsNamed() throws {
            let bench = try Workbench()
            try bench.run("manual").expectComplaint(status: 2, "--folder DIR")
            try bench.run("manual", "--folder", "share", "--topics", "nowhere").expectComplaint(status: 1, "\"nowhere\"")
            try FileManager.default.createDirectory(atPath: bench.path("topics"), withIntermediateDirectories: true)
            try "# A\n\n| b |\n".write(toFile: bench.path("topics/a.md"), atomically: true, encoding: .utf8)
            let outcome = try bench.run("manual", "--folder", "share", "--topics", "topics")
            outcome.expectComplaint(status: 1, "Couldn't make a page of \"topics/a.md\": line 3")
            #expect(!bench.exists("share"))
            try bench.run("manual", "--folder", "/proc/share").expectComplaint(status: 1, "Couldn't make the folder \"/proc/share/")
        }
    }
}
