// SPDX-License-Identifier: GPL-3.0-or-later
#include "every_page.h"

#include "calculators/calculators_view.h"
#include "catalog/library.h"
#include "compare/compare_view.h"
#include "controls/segmented.h"
#include "evidence/calibrate_page.h"
#include "evidence/evidence_view.h"
#include "figures/figure_event.h"
#include "gantt/pipeline_view.h"
#include "memory/memory_view.h"
#include "plan/plan_json.h"
#include "plots/plots_view.h"
#include "search/advice_page.h"
#include "search/found_strip.h"
#include "search/map_page.h"
#include "search/search_view.h"
#include "search_controller.h"
#include "sites/minimal_changes_card.h"
#include "sites/sites_view.h"
#include "start/start_view.h"
#include "view_rail.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>

namespace meshwright {

namespace {

bool settled(WindowFixture &fixture) {
    if (!fixture.settle())
        return false;
    MainWindow &window = fixture.window();
    const bool hasSites = fixture.session().view().result->outer.has_value();
    const auto done = [](const QWidget *view, bool is) { return view->isHidden() || is; };
    const auto *strip = window.findChild<FoundStrip *>();
    return QTest::qWaitFor(
        [&] {
            const SearchView *search = window.view<SearchView>();
            return done(window.view<StartView>(), window.view<StartView>()->isSettled())
                && done(window.view<PipelineView>(), window.view<PipelineView>()->isSettled())
                && done(window.view<MemoryView>(), window.view<MemoryView>()->isSettled())
                && done(window.view<SitesView>(),
                        !hasSites
                            || (window.view<SitesView>()->isSettled()
                                && !window.view<SitesView>()->minimalChanges()->isSearching()))
                && done(window.view<EvidenceView>(), !window.view<EvidenceView>()->isBusy())
                && done(window.view<PlotsView>(), window.view<PlotsView>()->isSettled())
                && done(window.view<CompareView>(), window.view<CompareView>()->isSettled())
                && ((search->isHidden() && !strip->isVisible()) || window.searching()->isSettled())
                && done(search->map(), !search->map()->isBusy()) && done(search->advice(), !search->advice()->isBusy());
        },
        patience);
}

/// Fills the page of the user's machine.
void enterMachineRuns(WindowFixture &fixture) {
    constexpr auto rows = "id,model,accelerator,accelerators,tensor,pipeline,data,micro_batch,global_batch,"
                          "sequence_length,recompute,step_seconds,peak_memory_bytes,memory_kind\n"
                          "a,Llama 3.1 8B,h100-sxm-80gb,8,8,1,1,1,8,8192,full,1.9,31e9,allocated\n"
                          "b,Llama 3.1 8B,h100-sxm-80gb,8,4,1,2,1,8,8192,full,1.8,41e9,reserved\n"
                          "c,Llama 3.1 8B,h100-sxm-80gb,8,2,1,4,1,8,8192,full,1.7,60e9,device\n"
                          "d,Llama 3.1 8B,h100-sxm-80gb,16,2,4,2,1,8,8192,full,1.5,,\n";
    if (!fixture.window().view<EvidenceView>()->calibration()->answer().runs.runs.empty())
        return;
    QFile file(fixture.file(QStringLiteral("machine.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(rows);
    file.close();
    fixture.window().view<EvidenceView>()->addFile(file.fileName());
}

/// Fills the page of compared plans.
void comparePlans(WindowFixture &fixture) {
    CompareView *view = fixture.window().view<CompareView>();
    if (!view->others().isEmpty())
        return;
    Plan changed = fixture.session().view().plan;
    changed.recompute = {.mode = RecomputeMode::full, .layers = 0, .modules = {}};
    view->add({.name = QStringLiteral("recomputed"), .origin = QStringLiteral("test"), .plan = changed});
    const auto &preset = Library::standard().json(PresetKind::plan, "pretrain-70b-1k-design");
    view->add({.name = QStringLiteral("preset"),
               .origin = QStringLiteral("test"),
               .plan = read_plan(preset, Library::standard()).plan});
}

/// Whether a widget is an input field, or declares that it shows no figures.
bool showsNoFigures(const QWidget *widget) {
    for (const QWidget *each = widget; each != nullptr; each = each->parentWidget())
        if (qobject_cast<const QAbstractSpinBox *>(each) || qobject_cast<const QLineEdit *>(each)
            || qobject_cast<const QComboBox *>(each) || qobject_cast<const QMenuBar *>(each)
            || qobject_cast<const QHeaderView *>(each))
            return true;
    return isWithoutFigures(widget);
}

/// The widget itself, or the scroll area whose viewport it is.
FigureSource *sourceOf(QWidget *widget) {
    if (auto *source = dynamic_cast<FigureSource *>(widget))
        return source;
    auto *area = qobject_cast<QAbstractScrollArea *>(widget->parentWidget());
    return area != nullptr && area->viewport() == widget ? dynamic_cast<FigureSource *>(area) : nullptr;
}

} // namespace

void addWalkedPlans() {
    QTest::addColumn<QString>("plan");
    for (const char *plan : {"smollm-135m", "llama3-405b-16k", "deepseek-v3", "ten-to-25", "megatron-1t-2021"})
        QTest::newRow(plan) << QString(QStringLiteral("preset:") + QLatin1String(plan));
}

void showEachPage(WindowFixture &fixture, const std::function<void(const QString &)> &look) {
    const QList<QAction *> views = fixture.window().rail()->actions();
    for (QAction *view : views) {
        view->trigger();
        if (auto *find = fixture.window().findChild<QPushButton *>(QStringLiteral("findLeastChanges")); find != nullptr
            && find->isVisible() && find->isEnabled()
            && !fixture.window().view<SitesView>()->minimalChanges()->isSearching())
            find->click();
        for (const char *formula : {"ring-all-reduce", "checkpoint-interval", "compute-optimal"})
            if (fixture.window().view<CalculatorsView>()->isVisible())
                fixture.window().view<CalculatorsView>()->openFormula(QLatin1String(formula));
        Segmented *pages = nullptr;
        const QList<Segmented *> switches = fixture.window().findChildren<Segmented *>();
        for (Segmented *each : switches)
            if (each->isVisible() && each->objectName().endsWith(QLatin1String("Pages")))
                pages = each;
        for (int page = 0; page < (pages != nullptr ? pages->count() : 1); ++page) {
            if (pages != nullptr)
                pages->setCurrentIndex(page);
            if (pages != nullptr && pages->textOf(page) == QLatin1String("My machine"))
                enterMachineRuns(fixture);
            if (fixture.window().view<CompareView>()->isVisible())
                comparePlans(fixture);
            QVERIFY2(settled(fixture), qPrintable(view->text()));
            QCoreApplication::processEvents();
            look(pages != nullptr ? view->text() + QLatin1String(", ") + pages->textOf(page) : view->text());
        }
    }
    views.first()->trigger();
}

void readPage(WindowFixture &fixture,
              const std::function<void(QWidget *, const FigureSource *, const PaintedNumber &)> &read) {
    const QList<QWidget *> widgets = fixture.window().findChildren<QWidget *>();
    for (QWidget *widget : widgets)
        if (widget->isVisible() && !showsNoFigures(widget))
            for (const PaintedNumber &number : paintedNumbers(*widget))
                read(widget, sourceOf(widget), number);
}

} // namespace meshwright
