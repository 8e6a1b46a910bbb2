// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The case's side of the connection to the validator: it receives the request, and sends the report. Main thread.

import Glibc
import LinuxSystem
import PluginHosting
import Printing

/// `[control]` The hidden command that the validator starts.
package enum CaseServer {
    /// The most bytes of a request.
    ///
    /// A component may have 64 paths of extensions of 4096 bytes each, and JSON doubles some.
    private static let requestLimit = 1 << 20
    /// The most bytes of the message that carries the request's descriptors.
    private static let messageLimit = 64
    private static let patienceMilliseconds: Int32 = 5000

    /// True if these arguments mean this hidden command.
    package static func isMeant(by words: [String]) -> Bool { words == [CaseProcess.servedArgument] }

    /// Runs the case that is requested over descriptor 3.
    ///
    /// It returns only if that is no socket, or if no valid request arrives.
    package static func serve() {
        var status = stat()
        guard fstat(3, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let control = ControlSocket(owning: Descriptor(owning: 3))
        guard let received = try? control.receive(limit: messageLimit, timeoutMilliseconds: patienceMilliseconds),
            received.descriptors.count == 2, let request = request(in: Descriptor(owning: received.descriptors[1]))
        else { return }
        redirect(to: received.descriptors[0])
        let lines = OfferedLines()
        // The report concerns one plug-in, and names it.
        HostConfiguration.current.pluginOutput = { output in
            if case .line(_, let text) = output { lines.offer(text) } else { lines.offer("\(output)") }
        }
        endWithValidator(control)
        CaseRun.run(request) { report in
            // The validator shows the plug-in's output, and reads no more of it after the report.
            OutputReader.shared.settle()
            try? control.send(head: Array(report.line.utf8), body: [], descriptors: [], timeoutMilliseconds: 1000)
            // The validator reads the report, not the status.
            return 0
        }
    }

    /// The request in shared memory; nil if it is none, which ends this process.
    private static func request(in descriptor: consuming Descriptor) -> CaseRequest? {
        guard let memory = try? SharedMemory(mapping: descriptor, name: "bulkhead-case", isWritable: false),
            memory.byteCount <= requestLimit
        else { return nil }
        let bytes = UnsafeRawBufferPointer(start: memory.base, count: memory.byteCount)
        return try? ReadableJSON.value(CaseRequest.self, from: Array(bytes))
    }

    /// Sends the output of plug-ins to the validator, and gives them no input.
    private static func redirect(to descriptor: Int32) {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        dup2(nothing, STDIN_FILENO)
        dup2(descriptor, STDOUT_FILENO)
        dup2(descriptor, STDERR_FILENO)
        close(nothing)
        close(descriptor)
    }

    /// Ends this process with the validator: its report would have no reader.
    private static func endWithValidator(_ control: ControlSocket) {
        let watch = try? LinuxSystem.Thread(name: "hang-up watch") {
            control.waitUntilHungUp()
            Census(getpid()).endChildren()
            _exit(1)
        }
        watch?.detach()
    }
}
