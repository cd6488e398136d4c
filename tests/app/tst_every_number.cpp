// SPDX-License-Identifier: GPL-3.0-or-later
#include "painted_text.h"
#include "window_fixture.h"

#include "controls/figure_event.h"
#include "controls/figure_sentence.h"
#include "controls/figure_source.h"
#include "controls/segmented.h"
#include "evidence/evidence_view.h"
#include "gantt/pipeline_view.h"
#include "memory/memory_view.h"
#include "search/advice_page.h"
#include "search/map_chart.h"
#include "search/map_page.h"
#include "search/search_view.h"
#include "search_controller.h"
#include "sites/sites_view.h"
#include "view_rail.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSet>

using namespace meshwright;

namespace {

constexpr QSize large{2560, 1440};
constexpr int patience = 60'000;

bool settled(WindowFixture &fixture) {
    if (!fixture.settle())
        return false;
    MainWindow &window = fixture.window();
    const bool hasSites = fixture.session().view().result->outer.has_value();
    const auto done = [&window](const QWidget *view, bool is) { return view->isHidden() || is; };
    return QTest::qWaitFor(
        [&] {
            const SearchView *search = window.searchView();
            return done(window.pipelineView(), window.pipelineView()->isSettled())
                && done(window.memoryView(), window.memoryView()->isSettled())
                && done(window.sitesView(), !hasSites || window.sitesView()->isSettled())
                && done(window.evidenceView(), !window.evidenceView()->isBusy())
                && done(search, window.searching()->isSettled()) && done(search->map(), !search->map()->isBusy())
                && done(search->advice(), !search->advice()->isBusy());
        },
        patience);
}

/// Every page of every view in turn.
void showEachPage(WindowFixture &fixture, const std::function<void(const QString &)> &look) {
    const QList<QAction *> views = fixture.window().views()->actions();
    for (QAction *view : views) {
        view->trigger();
        Segmented *pages = nullptr;
        const QList<Segmented *> switches = fixture.window().findChildren<Segmented *>();
        for (Segmented *each : switches)
            if (each->isVisible() && each->objectName().endsWith(QLatin1String("Pages")))
                pages = each;
        for (int page = 0; page < (pages != nullptr ? pages->count() : 1); ++page) {
            if (pages != nullptr)
                pages->setCurrentIndex(page);
            QVERIFY2(settled(fixture), qPrintable(view->text()));
            QCoreApplication::processEvents();
            look(pages != nullptr ? view->text() + QLatin1String(", ") + pages->textOf(page) : view->text());
        }
    }
    views.first()->trigger();
}

/// What a person types into, or what says itself that it shows no figures.
bool showsNoFigures(const QWidget *widget) {
    for (const QWidget *each = widget; each != nullptr; each = each->parentWidget())
        if (qobject_cast<const QAbstractSpinBox *>(each) || qobject_cast<const QLineEdit *>(each)
            || qobject_cast<const QComboBox *>(each) || qobject_cast<const QMenuBar *>(each)
            || qobject_cast<const QHeaderView *>(each))
            return true;
    return isWithoutFigures(widget);
}

/// Whether a number is one with a unit: what a sentence may not say without opening it. Its other numbers are names and
/// settings: "stage 0", "up to tensor 2".
bool hasUnit(const PaintedNumber &number) {
    static const QRegularExpression unit(
        QStringLiteral("^ (%|[kMGTP]?B|[kMGT]?B/s|[kMGT]?b/s|s|ms|µs|min|h|days|\\$|[A-Z]?FLOP)(?![\\w])"));
    return unit.match(number.rest).hasMatch();
}

bool opens(const QWidget *widget, const FigureSource &source, const PaintedNumber &number) {
    const QPoint place = number.middle.toPoint();
    if (source.opensAt(place) || source.isScaleAt(place))
        return true;
    return dynamic_cast<const FigureSentence *>(widget) != nullptr && !hasUnit(number);
}

FigureSource *sourceOf(QWidget *widget) {
    if (auto *source = dynamic_cast<FigureSource *>(widget))
        return source;
    return dynamic_cast<FigureSource *>(widget->parentWidget());
}

/// A widget and what it lies in: "TextLabel < Card < ProblemRow problem0".
QString whereabouts(const QWidget *widget) {
    QStringList steps;
    for (; widget != nullptr && !widget->isWindow() && steps.size() < 4; widget = widget->parentWidget())
        steps << QString(QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName())
                     .remove(QStringLiteral("meshwright::"))
                     .trimmed();
    return steps.join(QStringLiteral(" < "));
}

} // namespace

class EveryNumberTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_number_that_is_painted_opens_data() {
        QTest::addColumn<QString>("plan");
        for (const char *plan : {"smollm-135m", "llama3-405b-16k", "deepseek-v3", "ten-to-25", "bloom-176b"})
            QTest::newRow(plan) << QStringLiteral("preset:") + QLatin1String(plan);
    }

    void a_number_that_is_painted_opens() {
        QFETCH(QString, plan);
        WindowFixture fixture(plan, large);
        QSet<QString> closed;
        showEachPage(fixture, [&](const QString &page) {
            const QList<QWidget *> widgets = fixture.window().findChildren<QWidget *>();
            for (QWidget *widget : widgets) {
                if (!widget->isVisible() || showsNoFigures(widget))
                    continue;
                for (const PaintedNumber &number : paintedNumbers(*widget)) {
                    const FigureSource *const source = sourceOf(widget);
                    if (source == nullptr || !opens(widget, *source, number))
                        closed << QStringLiteral("%1: %2 in \"%3\" of %4")
                                      .arg(page, number.number, number.text, whereabouts(widget));
                }
            }
        });
        for (const QString &each : closed)
            qWarning("%s", qPrintable(each));
        QVERIFY2(closed.isEmpty(), qPrintable(QString::number(closed.size())));
    }
};

QTEST_MAIN(EveryNumberTest)
#include "tst_every_number.moc"
