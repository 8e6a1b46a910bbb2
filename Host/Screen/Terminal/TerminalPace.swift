// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures how far a terminal is behind the written bytes, by its own replies. Any thread.

/// Delays frames while a terminal has not shown the earlier ones.
///
/// A slow line, such as ssh, may buffer many frames and show them late. A terminal replies to requests in the order of the
/// written bytes. So a reply shows that everything before the request is visible.
struct TerminalPace: Sendable {
    /// Requests a status report, which every terminal with a cursor sends.
    static let question = Array("\u{1B}[5n".utf8)
    /// The bytes that may be in transit when another frame begins.
    static let leastWindow = 256
    static let greatestWindow = 16_384
    /// The seconds until a terminal without any reply is not asked any more.
    static let mutePatience = 1.0
    /// The seconds until missing replies are given up, beside the time that a slow line needs for the written bytes.
    static let patience = 5.0
    /// The bytes that a slow line carries in a second.
    static let slowLine = 8000.0

    private(set) var window = 1024
    private var writtenCount = 0
    /// The number of bytes that the terminal has shown, and the number of those before a request.
    private var shownCount = 0
    private var askedCount = 0
    /// The time of the first byte after the last request.
    private var unaskedTime = 0.0
    /// The requests without a reply; `count` is the number of bytes written at once before one.
    private var questions: [(end: Int, count: Int, time: Double)] = []
    /// The seconds until the fastest reply.
    private var quickest = Double.infinity
    private var hasAnswered = false
    private var isMute = false

    /// The extra seconds for a reply to many bytes, beside half of the fastest reply.
    private static let slack = 0.03
    /// The seconds in which bytes count as written at once.
    private static let onceSeconds = 0.1
    /// The seconds without a reply after which a line counts as slower.
    private static let lateSeconds = 0.25
    /// The seconds that a line may need for the bytes in transit.
    private static let windowSeconds = 0.5

    /// Records bytes that will be written, and appends a request if one is due.
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

    /// Records replies.
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
            // The line has carried at least this number of bytes in that time.
            let carried = Double(question.count) / max(seconds, 1e-4) * Self.windowSeconds
            // Cannot trap: a number of bytes by at least 0.1 ms.
            window = max(window, Int(min(carried, Double(Self.greatestWindow))))
        }
    }

    /// The seconds until another frame may be written, unless a reply comes first; 0 if it may be written now.
    func secondsToNextFrame(now: Double) -> Double {
        guard let first = questions.first else { return 0 }
        let isLate = now - first.time > max(Self.lateSeconds, quickest * 2)
        guard writtenCount - shownCount >= (isLate ? Self.leastWindow : window) else { return 0 }
        return max(0, first.time + waiting - now)
    }

    /// True if a request has no reply yet.
    var isAsked: Bool { !questions.isEmpty }
    /// True if a reply is expected.
    var isAnswerDue: Bool { hasAnswered && isAsked }

    /// The seconds to wait for the reply to the oldest request.
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
