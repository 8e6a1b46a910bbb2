// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The private session: it starts, and nothing of it is left afterwards. Test thread.

import Glibc
import Testing

@testable import PipeWireIO

extension PipeWireDriverTests {
    /// Nested in the other suite, because the suites of one target run side by side.
    @Suite(.serialized, .timeLimit(.minutes(15)))
    struct PrivatePipeWireTests {
        /// Process ids whose environment or arguments name the folder.
        private func processes(naming folder: String) -> [Int32] {
            guard let directory = opendir("/proc") else { return [] }
            defer { closedir(directory) }
            var found: [Int32] = []
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard let identifier = Int32(name), identifier != getpid() else { continue }
                let facts = contents(of: "/proc/\(name)/environ") + contents(of: "/proc/\(name)/cmdline")
                if facts.contains(folder) { found.append(identifier) }
            }
            return found
        }

        @Test func leavesNoProcessAndNoFolderBehind() throws {
            let session = try PrivatePipeWire(sinkName: "short-lived", channels: 1, rate: 44100, quantum: 512)
            let folder = try #require(session.environment["XDG_RUNTIME_DIR"])
            #expect(session.isRunning)
            #expect(PipeWireDaemon.isReachable(socketPath: session.socketPath))
            #expect(processes(naming: folder).count == 4)
            session.close()
            #expect(processes(naming: folder) == [])
            #expect(access(folder, F_OK) != 0)
            #expect(!PipeWireDaemon.isReachable(socketPath: session.socketPath))
        }

        @Test func activatingLeadsThisProcessThereAndClosingLeadsItBack() throws {
            let before = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
            let session = try PrivatePipeWire()
            session.activate()
            #expect(PipeWireDaemon.isReachable())
            session.close()
            #expect(getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } == before)
        }

        @Test func theChildrenEndWhenTheirParentIsKilled() throws {
            let folder = "/tmp/bulkhead-guard-test-\(getpid())"
            mkdir(folder, 0o700)
            let children = try ChildProcesses(environment: ["PATH": "/usr/bin:/bin", "MARK": folder], removing: folder)
            let sleeper = try children.spawn("sleep", ["60"], package: "coreutils")
            // Killing this process would end the test; closing its end of the pipe is what the kernel would do then.
            children.cutLifelineAsTheKernelWould()
            #expect(waitUntil(milliseconds: 3000) { children.hasEnded(sleeper) })
            #expect(waitUntil(milliseconds: 3000) { access(folder, F_OK) != 0 })
            children.close()
            #expect(processes(naming: folder) == [])
        }

        @Test func namesThePackageOfAProgramThatIsMissing() throws {
            let children = try ChildProcesses(environment: ["PATH": "/usr/bin:/bin"], removing: nil)
            defer { children.close() }
            let error = #expect(throws: PipeWireError.self) {
                _ = try children.spawn("no-such-wireplumber", package: "wireplumber")
            }
            #expect(
                error?.description
                    == "Couldn't find the program \"no-such-wireplumber\". Debian has it in the package wireplumber: "
                    + "`apt install wireplumber`.")
        }
    }
}
