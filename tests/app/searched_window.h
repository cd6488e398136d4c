// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "main_window.h"
#include "search/configuration_selection.h"
#include "search/search_view.h"
#include "search_controller.h"
#include "view_rail.h"
#include "window_fixture.h"

#include <QTest>

namespace meshwright {

/// A small search space keeps tests quick; any software is allowed, so that the plan is not the optimum of the space.
inline constexpr const char *smallSpace =
    R"({"constraints": {"any_software": true, "allowed": {"schedule": ["1f1b", "interleaved"]}}})";

/// Whether a text states that the search found no configuration better than the plan.
inline bool saysThatNothingIsBetter(const QString &text) {
    return QStringList{QStringLiteral("The plan is already the best"),
                       QStringLiteral("The plan is as good as the best"),
                       QStringLiteral("No better configuration found")}
        .contains(text);
}

/// A window that shows the search results of a preset.
struct Searched {
    explicit Searched(const QString &preset, const char *constraints = smallSpace, QSize size = {1600, 1000})
        : window(QStringLiteral("preset:") + preset, size)
        , view(window.window().view<SearchView>()) {
        window.document().apply({.subject = QStringLiteral("test"), .patch = constraints});
        window.settle();
        window.window().rail()->show(view); // the view searches only while it is visible
        settle();
    }
    bool settle() {
        return window.settle() && QTest::qWaitFor([this] { return window.window().searching()->isSettled(); }, 60'000);
    }
    void patch(const char *text) {
        window.document().apply({.subject = QStringLiteral("test"), .patch = text});
        settle();
    }
    const SearchAnswer &answer() const { return *view->selection()->answer(); }
    const Plan &plan() { return window.session().view().plan; }

    WindowFixture window;
    SearchView *view;
};

} // namespace meshwright
