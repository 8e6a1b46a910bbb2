// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A value that goes may read the property that held it. Test thread.

import Combine
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReleaseTests {
    private final class Player {
        private let goes: () -> Void
        init(goes: @escaping () -> Void) { self.goes = goes }
        deinit { goes() }
    }

    private final class Model: ObservableObject {
        @Published var player: Player?
        var wasEmpty: Bool?
    }

    @Test func aPropertyIsReadByTheValueThatItLetsGo() {
        let model = Model()
        model.player = Player { [unowned model] in model.wasEmpty = model.player == nil }
        model.player = nil
        #expect(model.wasEmpty == true)
    }

    @Test func aSubjectIsReadByTheValueThatItLetsGo() {
        let subject = CurrentValueSubject<Player?, Never>(nil)
        // SAFETY: the test's thread alone uses it.
        nonisolated(unsafe) var wasEmpty: Bool?
        subject.value = Player { [unowned subject] in wasEmpty = subject.value == nil }
        subject.value = nil
        #expect(wasEmpty == true)
    }
}
