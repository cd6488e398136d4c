// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sites/sites_view.h"
#include "view_rail.h"
#include "window_fixture.h"

#include <QTest>

namespace meshwright {

/// A window that shows the sites of a preset.
struct ShownSites {
    explicit ShownSites(const QString &preset)
        : window(QStringLiteral("preset:") + preset)
        , view(window.window().view<SitesView>()) {
        window.window().rail()->show(view);
        settle();
    }
    bool settle() {
        return window.settle()
            && QTest::qWaitFor([this] { return !window.session().view().valid || view->isSettled(); }, 30'000);
    }
    bool patch(const char *text) {
        window.document().apply({.subject = QStringLiteral("test"), .patch = text});
        return settle();
    }
    SpanIndex transferOf(int number, SiteRow row) const {
        const TimelineModelPointer &model = view->closeSites()->model();
        for (std::size_t track = row == SiteRow::Up ? 1 : 2; track < model->tracks.size(); track += 3)
            for (std::size_t span = 0; span < model->tracks[track].count(); ++span)
                if (model->tracks[track].look(span).number == number)
                    return {static_cast<int>(track), span};
        return {};
    }
    SweepCard *sweep(SweepOf of) const {
        for (SweepCard *card : view->sweepCards())
            if (card->of() == of)
                return card;
        return nullptr;
    }

    WindowFixture window;
    SitesView *view;
};

} // namespace meshwright
