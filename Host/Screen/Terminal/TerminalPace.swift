// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How far a terminal is behind what was written to it, by its own answers. Any thread.

/// Holds frames back while a terminal has not shown the former ones.
///
/// Between a program and its terminal may lie a line that takes many frames and shows them late, such as a slow connection of ssh. A
/// terminal answers questions in the order of what is written. So an answer tells that all before the question has been shown.
struct TerminalPace: Sendable {
    /// Asks whether all is well, which every terminal with a cursor answers.
    static let question = Array("\u{1B}[5n".utf8)
    /// The bytes that may be on their way when another frame begins.
    static let leastWindow = 256
    static let greatestWindow = 16_384
    /// Seconds until a terminal that has never answered is no longer asked.
    static let mutePatience = 1.0
    /// Seconds until answers that do not come are given up, beside those that a slow line needs for what was written.
    static let patience = 5.0
    /// The bytes that such a line carries in a second.
    static let slowLine = 8000.0

    private(set) var window = 1024
    private var writtenCount = 0
    /// The bytes that the terminal has shown, and those that a question stands behind.
    private var shownCount = 0
    private var askedCount = 0
    /// When the first byte was written that no question stands behind.
    private var unaskedTime = 0.0
    /// The questions without an answer; `count` is how many bytes were written at once before one.
    private var questions: [(end: Int, count: Int, time: Double)] = []
    /// The seconds until the quickest answer.
    private var quickest = Double.infinity
    private var hasAnswered = false
    private var isMute = false

    /// Seconds that an answer to many bytes may take longer than the quickest one, beside half of that.
    private static let slack = 0.03
    /// Seconds in which bytes count as written at once.
    private static let onceSeconds = 0.1
    /// Seconds without an answer after which a line counts as slower than it was.
    private static let lateSeconds = 0.25
    /// Seconds that a line may need for what is on its way.
    private static let windowSeconds = 0.5

    /// Takes note of bytes that are about to be written, and puts a question behind them where it is time for one.
    mutating func ask(behind bytes: inout [UInt8], now: Double) {
        if let first = questions.first, now - first.time > waiting { giveUp() }
        if askedCount == writtenCount { unaskedTime = now }
        writtenCount += bytes.count
        let unaskedCount = writtenCount - askedCount
        guard !isMute, askedCount == 0 || unaskedCount >= window / 4 else { return }
        let count = now - unaskedTime <= Self.onceSeconds ? unaskedCount : bytes.count
        bytes += Self.question
        writtenCount += Self.question.count
        askedCount = writtenCount
        questions.append((writtenCount, count, now))
    }

    /// Takes note of answers.
    mutating func take(answers count: Int, now: Double) {
        for _ in 0..<count {
            (hasAnswered, isMute) = (true, false)
            guard !questions.isEmpty else { continue }
            let question = questions.removeFirst()
            shownCount = question.end
            let seconds = now - question.time
            quickest = min(quickest, seconds)
            if seconds > quickest * 1.5 + Self.slack {
                window = max(Self.leastWindow, window / 2)
            } else if question.count >= window / 4 {
                window = min(Self.greatestWindow, window * 2)
            }
            // The line has surely carried that many bytes in that time.
            let carried = Double(question.count) / max(seconds, 1e-4) * Self.windowSeconds
            window = max(window, Int(min(carried, Double(Self.greatestWindow))))
        }
    }

    /// The seconds until another frame may be written, unless an answer comes first; 0 if it may be written now.
    func secondsToNextFrame(now: Double) -> Double {
        guard let first = questions.first else { return 0 }
        let isLate = now - first.time > max(Self.lateSeconds, quickest * 2)
        guard writtenCount - shownCount >= (isLate ? Self.leastWindow : window) else { return 0 }
        return max(0, first.time + waiting - now)
    }

    /// Whether a question has no answer yet.
    var isAsked: Bool { !questions.isEmpty }
    /// Whether the answers will come.
    var isAnswerDue: Bool { hasAnswered && isAsked }

    /// Seconds to wait for the answer to the oldest question.
    private var waiting: Double {
        guard hasAnswered, let first = questions.first else { return Self.mutePatience }
        return Self.patience + Double(max(0, first.end - shownCount)) / Self.slowLine
    }

    private mutating func giveUp() {
        questions = []
        (shownCount, askedCount, window) = (writtenCount, writtenCount, Self.leastWindow)
        isMute = !hasAnswered
    }
}
