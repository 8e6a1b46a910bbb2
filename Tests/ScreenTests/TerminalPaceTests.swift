// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Frames on lines of any speed, with a clock of the test's own. Test thread.

import Testing

@testable import Screen

/// A terminal at the end of a line that takes all that is written, and shows it at its own speed.
private struct SimulatedLine {
    var bytesPerSecond: Double
    /// Seconds that each byte, and each answer, is on its way beside that.
    let delay: Double
    /// Whether frames wait for their turn.
    var isPaced = true
    var answers = true
    /// The longest time from the making of a frame until it is shown.
    private(set) var longestWait = 0.0
    private(set) var frameCount = 0
    private(set) var byteCount = 0
    private(set) var questionCount = 0
    private(set) var pace = TerminalPace()
    private var time = 0.0
    /// When all that was written until now is shown.
    private var free = 0.0
    private var answerTimes: [Double] = []

    init(bytesPerSecond: Double, delay: Double, isPaced: Bool = true, answers: Bool = true) {
        (self.bytesPerSecond, self.delay, self.isPaced, self.answers) = (bytesPerSecond, delay, isPaced, answers)
        write(90)
    }

    private mutating func write(_ count: Int) {
        var bytes = [UInt8](repeating: 0, count: count)
        pace.ask(behind: &bytes, now: time)
        byteCount += bytes.count
        free = max(free, time) + Double(bytes.count) / bytesPerSecond
        longestWait = max(longestWait, free + delay - time)
        guard bytes.count > count else { return }
        questionCount += 1
        if answers { answerTimes.append(free + 2 * delay) }
    }

    /// Draws thirty frames of so many bytes a second where the terminal may have them.
    mutating func play(seconds: Double, bytesPerFrame: Int) {
        (longestWait, frameCount, byteCount, questionCount) = (0, 0, 0, 0)
        let end = time + seconds
        var nextFrame = time
        while time < end {
            while let first = answerTimes.first, first <= time {
                answerTimes.removeFirst()
                pace.take(answers: 1, now: time)
            }
            if time >= nextFrame, !isPaced || pace.secondsToNextFrame(now: time) == 0 {
                write(bytesPerFrame)
                frameCount += 1
                nextFrame = time + 1.0 / 30
            }
            time += 0.001
        }
    }
}

@Suite struct TerminalPaceTests {
    @Test(arguments: [(1200.0, 0.005), (1200, 0.1), (1920, 0.03), (11_520, 0.02)])
    func aSlowLineIsFullAndHoldsNoQueueOfFrames(bytesPerSecond: Double, delay: Double) {
        var line = SimulatedLine(bytesPerSecond: bytesPerSecond, delay: delay)
        // The first frame is all of the screen.
        line.play(seconds: 0.03, bytesPerFrame: 2500)
        line.play(seconds: 10, bytesPerFrame: 300)
        line.play(seconds: 30, bytesPerFrame: 300)
        #expect(line.longestWait < 1, "\(line.longestWait) s")
        #expect(Double(line.byteCount) > bytesPerSecond * 30 * 0.55, "\(line.byteCount) bytes")
        // Without the pace frames wait for each other.
        var flooded = SimulatedLine(bytesPerSecond: bytesPerSecond, delay: delay, isPaced: false)
        flooded.play(seconds: 30, bytesPerFrame: 500)
        #expect(flooded.longestWait > 5)
    }

    @Test func aLineThatWasIdleIsNotFlooded() {
        var line = SimulatedLine(bytesPerSecond: 1200, delay: 0.02)
        // Little is written, and each answer comes at once.
        line.play(seconds: 60, bytesPerFrame: 20)
        line.play(seconds: 10, bytesPerFrame: 400)
        #expect(line.longestWait < 2, "\(line.longestWait) s")
    }

    @Test(arguments: [0.0005, 0.02, 0.15]) func aQuickLineGetsAllFramesHoweverFarAwayItEnds(delay: Double) {
        var line = SimulatedLine(bytesPerSecond: 1e6, delay: delay)
        line.play(seconds: 5, bytesPerFrame: 400)
        line.play(seconds: 10, bytesPerFrame: 400)
        #expect(line.frameCount > 280, "\(line.frameCount) frames in 10 s")
        // A question with each frame would be one too many: what comes after the end of a program is typed into the shell.
        #expect(line.questionCount < 60, "\(line.questionCount) questions")
    }

    /// Pictures in pixels on a line that takes 7.5 s for each.
    @Test func largePicturesDoNotQueueUp() {
        var line = SimulatedLine(bytesPerSecond: 20_000, delay: 0.05)
        line.play(seconds: 5, bytesPerFrame: 300)
        line.play(seconds: 120, bytesPerFrame: 150_000)
        #expect(line.longestWait < 9 && line.frameCount > 12, "\(line.longestWait) s, \(line.frameCount) frames")
    }

    @Test func aLineThatBecomesSlowIsFloodedForSecondsAtMost() {
        var line = SimulatedLine(bytesPerSecond: 1e6, delay: 0.01)
        line.play(seconds: 10, bytesPerFrame: 300)
        line.bytesPerSecond = 1200
        line.play(seconds: 10, bytesPerFrame: 300)
        #expect(line.longestWait < 6, "\(line.longestWait) s")
        line.play(seconds: 10, bytesPerFrame: 300)
        #expect(line.longestWait < 1, "\(line.longestWait) s")
    }

    @Test func aTerminalThatNeverAnswersIsAskedOnceAndGetsAllFrames() {
        var line = SimulatedLine(bytesPerSecond: 1e6, delay: 0, answers: false)
        line.play(seconds: TerminalPace.mutePatience + 0.1, bytesPerFrame: 1500)
        #expect(line.frameCount < 5 && !line.pace.isAnswerDue)
        line.play(seconds: 10, bytesPerFrame: 1500)
        #expect(line.frameCount > 280 && line.questionCount == 0)
    }

    @Test func aTerminalThatAnswersNoMoreIsTriedNowAndThenAndTrustedWhenItAnswersAgain() {
        var line = SimulatedLine(bytesPerSecond: 1e5, delay: 0.01)
        line.play(seconds: 2, bytesPerFrame: 400)
        line.answers = false
        line.play(seconds: 2, bytesPerFrame: 400)
        line.play(seconds: 30, bytesPerFrame: 400)
        #expect((5...8).contains(line.frameCount), "\(line.frameCount) frames in 30 s")
        line.answers = true
        line.play(seconds: 6, bytesPerFrame: 400)
        line.play(seconds: 10, bytesPerFrame: 400)
        #expect(line.frameCount > 250, "\(line.frameCount) frames in 10 s")
    }
}
