// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Child processes that end with this one, even if it is killed. Control thread.

import CPipeWireShims
import Glibc

/// A process group, and its folder, that both go away with this process.
///
/// Its first member is a shell that waits until this process's end of a pipe closes. Then it ends the group and removes the
/// folder. PR_SET_PDEATHSIG does not suffice: it acts when the *thread* that forked ends, and leaves the folder.
final class ChildProcesses {
    /// The milliseconds in which a child must end before it is killed.
    private static let patienceMilliseconds = 2000
    private static let guardScript = """
        trap '' HUP INT TERM
        read -r line
        kill -TERM 0
        sleep 0.1
        [ -z "$1" ] || rm -rf -- "$1"
        kill -KILL 0
        """
    private let environment: [String: String]
    /// This process's end of the guard's pipe, -1 once it is closed.
    private var lifeline: Int32
    private let group: pid_t
    private var running: [pid_t: String] = [:]
    private var isClosed = false

    /// Starts the guard.
    ///
    /// At the end it removes `folder`, unless that is nil. The children get `environment`.
    init(environment: [String: String], removing folder: String?) throws(PipeWireError) {
        var ends: [Int32] = [-1, -1]
        let code = CPipeWireShims_pipe(&ends)
        guard code == 0 else { throw .childFailed(name: "sh", reason: describe(code)) }
        self.environment = environment
        lifeline = ends[1]
        defer { Glibc.close(ends[0]) }
        do {
            group = try SpawnRequest(
                program: "sh", arguments: ["-c", Self.guardScript, "bulkhead-guard", folder ?? ""],
                environment: environment, standardInput: ends[0], package: "dash"
            ).spawn(inGroup: 0)
        } catch {
            Glibc.close(ends[1])
            throw error
        }
    }

    deinit { close() }

    /// Starts a program.
    ///
    /// Throws `missingProgram` with `package` if PATH does not lead to the program.
    func spawn(_ program: String, _ arguments: [String] = [], package: String, log: String? = nil)
        throws(PipeWireError) -> pid_t
    {
        let child = try SpawnRequest(
            program: program, arguments: arguments, environment: environment, log: log, package: package
        ).spawn(inGroup: group)
        running[child] = program
        return child
    }

    /// True if the child has ended; an ended child is reaped.
    func hasEnded(_ child: pid_t) -> Bool {
        guard running[child] != nil else { return true }
        guard waitpid(child, nil, WNOHANG) != 0 else { return false }
        running[child] = nil
        return true
    }

    /// Sends `signal` and waits for the end; kills a child that takes too long.
    func end(_ child: pid_t, with signal: Int32) {
        guard !hasEnded(child) else { return }
        kill(child, signal)
        if waitUntil(milliseconds: Self.patienceMilliseconds, { hasEnded(child) }) { return }
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
        running[child] = nil
    }

    /// Ends all children, the latest first, then the guard, which removes the folder.
    ///
    /// It may be called several times.
    func close() {
        for child in running.keys.sorted(by: >) { end(child, with: SIGTERM) }
        guard !isClosed else { return }
        isClosed = true
        cutLifelineAsTheKernelWould()
        waitpid(group, nil, 0)
    }

    /// Closes the pipe as the kernel does when this process dies, so that the guard acts.
    func cutLifelineAsTheKernelWould() {
        if lifeline >= 0 { Glibc.close(lifeline) }
        lifeline = -1
    }
}

/// Checks a condition every 10 ms; false if the time passes first.
func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < deadline {
        if condition() { return true }
        usleep(10_000)
    }
    return condition()
}
