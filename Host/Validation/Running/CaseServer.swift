// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The case's own side of the wall between it and the validator: takes the request, hands back the report. Main thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// What the hidden command does when the validator has started it.
public enum CaseServer {
    private static let requestLimit = 1 << 16
    private static let patienceMilliseconds: Int32 = 5000

    /// Whether these words after the command's name ask for it.
    public static func isMeant(by words: [String]) -> Bool { words == [CaseProcess.servedArgument] }

    /// Runs the case that comes over descriptor 3. Returns only when that is no socket, or nothing sensible comes.
    public static func serve() {
        var status = stat()
        guard fstat(3, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let control = ControlSocket(owning: Descriptor(owning: 3))
        guard let received = try? control.receive(limit: requestLimit, timeoutMilliseconds: patienceMilliseconds),
            let request = try? JSONDecoder().decode(CaseRequest.self, from: Data(received.bytes.dropFirst()))
        else { return }
        redirect(to: received.descriptors.first)
        endWithValidator(control)
        CaseRun.run(request) { report in
            try? control.send(head: Array(report.line.utf8), body: [], descriptors: [], timeoutMilliseconds: 1000)
        }
    }

    /// What plug-ins print goes to the validator; they read nothing.
    private static func redirect(to descriptor: Int32?) {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        dup2(nothing, STDIN_FILENO)
        dup2(descriptor ?? nothing, STDOUT_FILENO)
        dup2(descriptor ?? nothing, STDERR_FILENO)
        close(nothing)
        if let descriptor { close(descriptor) }
    }

    /// A case whose validator has gone is for nobody.
    private static func endWithValidator(_ control: ControlSocket) {
        let watch = try? LinuxSystem.Thread(name: "hang-up watch") {
            control.waitUntilHungUp()
            Census(getpid()).endChildren()
            _exit(1)
        }
        watch?.detach()
    }
}
