// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process of one file of a batch: renders the file and reports its outcome. Main thread, and one that waits for the batch's end.

import Glibc
import LinuxSystem

/// The rendering process that a batch has started.
enum ServedRender {
    /// The option by which a batch starts the process.
    static let option = "--served"
    /// The socket whose other end the batch has, and the file that takes the outcome.
    private static let (lifeline, report): (Int32, Int32) = (3, 4)

    /// Renders a file, and writes the outcome.
    static func run(_ render: FileRender, _ input: String, _ output: String) throws {
        guard kind(of: lifeline) == S_IFSOCK, kind(of: report) == S_IFREG else {
            throw RenderCommand.usage("\(option) is for the command's own use.")
        }
        for descriptor in [lifeline, report] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        endWithBatch(ControlSocket(owning: Descriptor(owning: lifeline)))
        var outcome = JobOutcome()
        do {
            try render.run(input, into: output) { outcome.take($0) }
        } catch {
            outcome.fail(CommandError(error))
        }
        // The output of a plug-in comes before the message about its file.
        PluginMessages.settle()
        try outcome.write(to: report)
    }

    private static func kind(of descriptor: Int32) -> mode_t {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    /// Ends this process with the batch, even if the batch is killed; the next batch begins this file anew.
    private static func endWithBatch(_ lifeline: ControlSocket) {
        let watch = try? Thread(name: "hang-up watch") {
            lifeline.waitUntilHungUp()
            _exit(1)
        }
        watch?.detach()
    }
}
