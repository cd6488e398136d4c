// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/compare_view.h"
#include "compare/figures_model.h"
#include "models/figure_table.h"
#include "preset_menu.h"
#include "window_fixture.h"

#include <QAction>
#include <QMenu>
#include <QTest>

namespace meshwright {

/// A window that shows a preset in the compare view.
struct Compared {
    explicit Compared(const QString &preset, QSize size = {1600, 1000})
        : window(QStringLiteral("preset:") + preset, size)
        , view(window.window().view<CompareView>()) {
        window.showView(QStringLiteral("Compare"));
        settle();
    }
    bool settle() {
        const bool settled = window.settle() && QTest::qWaitFor([this] { return view->isSettled(); }, 60'000);
        QCoreApplication::processEvents();
        return settled;
    }
    void patch(const char *text) {
        window.document().apply({.subject = QStringLiteral("test"), .patch = text});
        settle();
    }
    void addPreset(const QString &id) {
        auto *presets = view->addMenu()->findChild<PresetMenu *>(QStringLiteral("comparePresets"));
        Q_EMIT presets->chosen(id);
        settle();
    }
    /// Opens the menu that adds plans, and chooses an entry of a submenu by its text.
    bool take(const QString &menu, const QString &entry) {
        Q_EMIT view->addMenu()->aboutToShow();
        const QList<QAction *> parts = view->addMenu()->actions();
        for (const QAction *part : parts)
            if (part->menu() != nullptr && part->text().remove(QLatin1Char('&')) == menu) {
                const QList<QAction *> entries = part->menu()->actions();
                for (QAction *each : entries)
                    if (each->text().remove(QLatin1Char('&')) == entry) {
                        each->trigger();
                        return settle();
                    }
            }
        return false;
    }
    int rowOf(const QString &title) const {
        for (int row = 0; row < view->figures()->rowCount(); ++row)
            if (view->figures()->index(row, 0).data().toString() == title)
                return row;
        return -1;
    }
    bool isShown() const { return view->figuresTable()->isVisible(); }

    WindowFixture window;
    CompareView *view;
};

} // namespace meshwright
