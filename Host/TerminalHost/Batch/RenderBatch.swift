// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders many files, several at once, and skips those that are up to date. Main thread.

import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// A batch of files on its way into a folder.
final class RenderBatch {
    private let words: [String]
    private let isJSON: Bool
    private let fileCount: Int
    private var waiting: ArraySlice<BatchFile>
    private var running: [RenderJob] = []
    /// The most processes at once: fewer than the user wanted if the machine has no room for more.
    private var mostRunning: Int
    private var doneCount = 0
    private var failures: [JobOutcome] = []
    private var state: BatchState
    /// The error that prevents printing or remembering a result; after it, no file is begun.
    private var problem: (any Error)?
    private var stop = BatchStop()
    private let lock: BatchLock
    private let progress = ProgressLine("Rendering", on: STDERR_FILENO)

    /// The longest time until the batch notices the user's wish to stop, in nanoseconds.
    private static let sliceNanoseconds: UInt64 = 200_000_000

    /// Prepares a batch, without rendering.
    ///
    /// Makes the folder if it is missing. Throws the defects of the effects or of the folder.
    init(_ files: [BatchFile], _ folder: String, _ render: FileRender, _ words: [String], _ arguments: BatchArguments) throws {
        let settings = try BatchSettings(render, words, folder: folder)
        lock = try BatchLock(folder)
        state = BatchState(in: folder, settings)
        (self.words, fileCount, waiting) = (words, files.count, files[...])
        mostRunning = arguments.jobCount
        isJSON = arguments.isJSON || !Terminal.isInteractive
    }

    /// Renders all files; throws if one has failed, or was not rendered because the user stopped the batch.
    func run() throws {
        progress.show(0)
        while !running.isEmpty || !waiting.isEmpty && !isStopping {
            if isStopping { stop.end(running) } else { beginMore() }
            awaitAny()
            collect()
        }
        progress.finish()
        if let problem { throw problem }
        if doneCount < fileCount {
            try Interruption.check("Stopped; \(fileCount - doneCount) of \(fileCount) files were not rendered.")
        }
        try complainOfFailures()
    }

    private var isStopping: Bool { Interruption.isRequested || problem != nil }

    /// Starts processes while there is room for more.
    private func beginMore() {
        while running.count < mostRunning, let file = waiting.first, !isStopping {
            waiting.removeFirst()
            if let refusal = file.refusal {
                end(file, JobOutcome(failure: refusal), wallSeconds: 0)
                continue
            }
            if let known = state.outcome(of: file) {
                tell(file, known, wallSeconds: nil)
                continue
            }
            do throws(SystemError) {
                running.append(try RenderJob(file, words))
            } catch {
                // The end of a process makes room for the next.
                guard PassingFailure.includes(code: error.code), !running.isEmpty else {
                    end(file, JobOutcome(failure: CommandError(error)), wallSeconds: 0)
                    continue
                }
                waiting = [file] + waiting
                mostRunning = running.count
            }
        }
    }

    /// Waits until a process prints or ends, but only for a moment.
    private func awaitAny() {
        guard !running.isEmpty else { return }
        Descriptor.awaitAny(running.flatMap(\.descriptors), nanoseconds: Self.sliceNanoseconds)
    }

    private func collect() {
        var left: [RenderJob] = []
        for job in running {
            let outcome = job.outcome()
            say(job.takeSentences())
            guard let outcome else {
                left.append(job)
                continue
            }
            // A file that the user stopped was neither rendered nor a failure.
            if outcome.hasFailed, isStopping { continue }
            let seconds = job.wallSeconds
            if !outcome.hasFailed { attempt { try state.remember(job.file, job.inputTime, outcome) } }
            end(job.file, outcome, wallSeconds: seconds)
        }
        running = left
    }

    private func end(_ file: BatchFile, _ outcome: JobOutcome, wallSeconds: Double) {
        if outcome.hasFailed { failures.append(outcome) }
        if let error = outcome.error { say([error]) }
        tell(file, outcome, wallSeconds: wallSeconds)
    }

    private func tell(_ file: BatchFile, _ outcome: JobOutcome, wallSeconds: Double?) {
        doneCount += 1
        let line = BatchLine(file, outcome, wallSeconds: wallSeconds)
        progress.finish()
        attempt {
            if isJSON { Terminal.print(try line.json) } else { Terminal.print(lines: [line.text]) }
            try Terminal.checkOutput()
        }
        progress.show(Double(doneCount) / Double(fileCount))
    }

    private func say(_ sentences: [String]) {
        guard !sentences.isEmpty else { return }
        progress.finish()
        sentences.forEach { Terminal.printError($0) }
        progress.show(Double(doneCount) / Double(fileCount))
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { problem = problem ?? error }
    }

    private func complainOfFailures() throws {
        guard !failures.isEmpty else { return }
        let sentence = "\(failures.count) of \(fileCount) files failed; see above."
        let passing = CommandError.failedForNow("\(sentence) Try the same again later.")
        throw failures.allSatisfy { $0.exitStatus == passing.exitStatus } ? passing : CommandError.failed(sentence)
    }
}

/// Ends the processes of a batch: first by a request, after a while by a kill.
private struct BatchStop {
    private static let patienceNanoseconds: UInt64 = 5_000_000_000
    private var deadline: UInt64?

    mutating func end(_ jobs: [RenderJob]) {
        guard let deadline else {
            deadline = MonotonicClock.now() + Self.patienceNanoseconds
            return jobs.forEach { $0.send(signal: SIGTERM) }
        }
        if MonotonicClock.now() > deadline { jobs.forEach { $0.kill() } }
    }
}
