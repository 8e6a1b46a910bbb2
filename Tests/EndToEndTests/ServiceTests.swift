// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead service: the units, what systemctl is asked, and a host that a stand-in for systemd starts by its socket.

import Foundation
import PipeWireIO
import Testing

extension EndToEnd {
    @Suite(.serialized) struct ServiceTests {
        /// A folder with a `systemctl` that notes what it is asked, and succeeds.
        private func benchWithManager(_ session: PrivatePipeWire? = nil) throws -> Workbench {
            let tools = FileManager.default.temporaryDirectory.appendingPathComponent("bulkhead-tools-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
            try Data("#!/bin/sh\necho \"$@\" >> \"$HOME/asked\"\n".utf8).write(to: URL(fileURLWithPath: "\(tools)/systemctl"))
            chmod("\(tools)/systemctl", 0o755)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            return try Workbench(session, adding: ["PATH": "\(tools):\(path)"])
        }

        private func unit(_ name: String, of bench: Workbench) -> String {
            let path = "\(bench.folder)-config/systemd/user/\(name)"
            return FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }

        @Test func aChainThatWasPlayedIsInstalledAndTakenAwayAgain() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try benchWithManager(session)
            try bench.run("service", "install", "desk").expectComplaint(status: 1, "No chain has been played as \"desk\" yet")
            try bench.run("service", "start", "desk").expectComplaint(status: 1, "There is no service \"desk\"")
            try bench.run("live", "--name", "desk", "-e", "Gain", "--duration", "1.5").expectSuccess()
            let installed = try bench.run("service", "install", "desk", "--sink", "--quantum", "256")
            #expect(installed.status == 0 && installed.output.contains("plays now, and at each login"), "\(installed.errors)")
            let text = unit("bulkhead-desk.service", of: bench)
            #expect(text.contains(" live --resume --name desk --sink --quantum 256\n") && text.contains("WantedBy=default.target"))
            #expect(text.contains("Restart=on-failure") && text.contains("After=pipewire.service wireplumber.service"))
            try bench.run("service", "install", "desk", "--on-demand").expectSuccess()
            #expect(unit("bulkhead-desk.socket", of: bench).contains("ListenStream=%t/bulkhead/desk.sock"))
            #expect(!unit("bulkhead-desk.service", of: bench).contains("WantedBy"))
            try bench.run("service", "uninstall", "desk").expectSuccess()
            #expect(unit("bulkhead-desk.service", of: bench).isEmpty && unit("bulkhead-desk.socket", of: bench).isEmpty)
            let asked = String(decoding: bench.bytes("asked"), as: UTF8.self)
            for line in [
                "daemon-reload", "enable bulkhead-desk.service", "disable --now bulkhead-desk.service",
                "start bulkhead-desk.socket", "disable --now bulkhead-desk.socket",
            ] {
                #expect(asked.contains("--user --no-pager \(line)\n"), "\(line)")
            }
        }

        @Test func withoutSystemdEachActionSaysWhatToDo() throws {
            let bench = try Workbench(adding: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
            for action in ["install", "uninstall", "start", "stop", "status"] {
                try bench.run("service", action, "desk").expectComplaint(status: 1, "No systemd serves this user here")
            }
            let shown = try bench.run("service", "show", "desk", "--output", "a \"b\" $c %d")
            #expect(shown.status == 0 && shown.output.contains(#"--output "a \"b\" $$c %%d""#), "\(shown.output)")
            try bench.run("service", "show", "desk", "--sink", "--input", "mic").expectComplaint(status: 2, "has no --input")
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"), "systemd is not installed"))
        func systemdFindsNoFaultInTheUnits() throws {
            let bench = try Workbench()
            let shown = try bench.run("service", "show", "desk", "--on-demand", "--sink").output
            let parts = shown.components(separatedBy: "# bulkhead-desk.")
            try #require(parts.count == 3)
            for part in parts.dropFirst() {
                let kind = String(part.prefix { $0 != "\n" })
                try bench.write("bulkhead-desk.\(kind)", Array(part.dropFirst(kind.count + 1).utf8))
            }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/systemd-analyze")
            process.arguments = ["--user", "verify", bench.path("bulkhead-desk.service"), bench.path("bulkhead-desk.socket")]
            process.environment = bench.environment
            let pipe = Pipe()
            (process.standardError, process.standardOutput) = (pipe, pipe)
            try process.run()
            let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && !said.contains("bulkhead-desk"), "\(said)")
        }

        /// The stand-in binds the socket and hands it over as descriptor 3, as systemd does; the client was there before the host.
        @Test func aHostTakesOverTheSocketOfItsManagerAndTellsThatItPlays() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.run("live", "--name", "desk", "-e", "Gain", "--duration", "1.5").expectSuccess()
            let folder = "\(try #require(bench.environment["XDG_RUNTIME_DIR"]))/bulkhead"
            let (listener, notified) = (try bind("\(folder)/desk.sock", SOCK_STREAM), try bind(bench.path("notify"), SOCK_DGRAM))
            defer { for number in [listener, notified] { close(number) } }
            #expect(listen(listener, 16) == 0)
            // Who asks for other hosts does not start this one, and its name is not taken from it.
            try bench.run("ctl", "status").expectComplaint(status: 1, "No host plays")
            try bench.run("live", "--resume", "--name", "desk").expectComplaint(status: 1, "A service listens for \"desk\"")
            let client = try bench.start("ctl", "status", "--name", "desk")
            let host = try hand(listener, to: ["live", "--resume", "--name", "desk"], in: bench)
            let answer = client.wait(seconds: 20)
            #expect(answer.status == 0 && answer.output.contains("Gain"), "\(answer.output)\(answer.errors)")
            #expect(next(notified) == "READY=1")
            #expect(next(notified) == "WATCHDOG=1" && next(notified) == "WATCHDOG=1")
            // As in a machine that sleeps: nothing is late, and no effect is blamed.
            kill(host, SIGSTOP)
            sleep(3)
            kill(host, SIGCONT)
            let status = try bench.run("ctl", "status", "--name", "desk")
            #expect(status.output.contains("running") && !status.output.contains("quarantined"), "\(status.output)")
            try bench.run("ctl", "stop", "--name", "desk").expectSuccess()
            var ended: Int32 = -1
            #expect(eventually(within: 10) { waitpid(host, &ended, WNOHANG) == host } && ended == 0)
            #expect(FileManager.default.fileExists(atPath: "\(folder)/desk.sock"))
        }

        private func bind(_ path: String, _ kind: __socket_type) throws -> Int32 {
            let number = socket(AF_UNIX, Int32(kind.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            try #require(path.utf8.count < MemoryLayout.size(ofValue: name.sun_path))
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
            unlink(path)
            let result = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(result == 0 && chmod(path, 0o600) == 0, "\(path): \(errno)")
            return number
        }

        /// The next message within ten seconds.
        private func next(_ socket: Int32) -> String {
            var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 10_000) == 1 else { return "" }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = recv(socket, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        /// Starts the command with a socket; the shell sets the number of the process, which stays the same.
        private func hand(_ socket: Int32, to words: [String], in bench: Workbench) throws -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            for stream in 1...2 as ClosedRange<Int32> {
                posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
            }
            posix_spawn_file_actions_adddup2(&actions, socket, 200)
            posix_spawn_file_actions_adddup2(&actions, 200, 3)
            let script = "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$@\" 200>&-"
            let arguments = ["/bin/bash", "-c", script, "sh", RunningCommand.executable] + words
            let variables = bench.environment.merging(["NOTIFY_SOCKET": bench.path("notify"), "WATCHDOG_USEC": "600000"]) { $1 }
            let (words, pairs) = (arguments.map { strdup($0) } + [nil], variables.map { strdup("\($0.key)=\($0.value)") } + [nil])
            defer { (words + pairs).forEach { free($0) } }
            var child = pid_t(0)
            try #require(posix_spawn(&child, "/bin/bash", &actions, nil, words, pairs) == 0)
            return child
        }
    }
}
