// SPDX-License-Identifier: GPL-3.0-or-later
#include "main_window.h"

#include "autosave.h"
#include "calculators/calculators_view.h"
#include "catalog/library.h"
#include "compare/compare_view.h"
#include "compare_controller.h"
#include "controls/notice_strip.h"
#include "controls/text_undo.h"
#include "evidence/evidence_view.h"
#include "evidence_controller.h"
#include "explain/explain_tree.h"
#include "explain/explain_view.h"
#include "explain/figure_guide.h"
#include "export_menu.h"
#include "figures/figure_ref.h"
#include "file_controller.h"
#include "file_watch.h"
#include "gantt/pipeline_view.h"
#include "glossary_controller.h"
#include "header_bar.h"
#include "lessons/lessons_view.h"
#include "memory/memory_view.h"
#include "models/work_guard.h"
#include "palette/command_palette.h"
#include "palette_items.h"
#include "panels/details_column.h"
#include "panels/panel_column.h"
#include "panels/parallelism_panel.h"
#include "panels/run_curves_view.h"
#include "plan/goal_card.h"
#include "plan/memory_card.h"
#include "plan/plan_page.h"
#include "plan_annotations.h"
#include "plots/plots_view.h"
#include "preset_menu.h"
#include "recent_files.h"
#include "search/found_strip.h"
#include "search/map_chart.h"
#include "search/map_page.h"
#include "search/search_view.h"
#include "search_controller.h"
#include "settings.h"
#include "sites/sites_view.h"
#include "start/start_view.h"
#include "status_line.h"
#include "theme/icon.h"
#include "theme_choice.h"
#include "view_pages.h"
#include "view_rail.h"
#include "views/problems_card.h"
#include "window_layout.h"

#include <QAction>
#include <QFileInfo>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <memory>
#include <utility>

namespace meshwright {

namespace {

constexpr int minCentreWidth = 560;

QAction *withIcon(QAction *action, const QString &icon, const QKeySequence &keys) {
    action->setIcon(icons::icon(icon));
    action->setShortcut(keys);
    return action;
}

/// The views, sized by the current one. A plain QStackedWidget would lay out all of them whenever the window is laid
/// out.
class ViewStack : public QStackedWidget {
public:
    explicit ViewStack(QWidget *parent)
        : QStackedWidget(parent) {
        connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry);
    }
    QSize sizeHint() const override { return currentWidget()->sizeHint(); }
    QSize minimumSizeHint() const override { return currentWidget()->minimumSizeHint(); }
    bool hasHeightForWidth() const override { return currentWidget()->hasHeightForWidth(); }
    int heightForWidth(int width) const override { return currentWidget()->heightForWidth(width); }
};

} // namespace

MainWindow::MainWindow(const Library &library, Settings &settings, Prompts &prompts, const QString &autosaveFolder)
    : m_settings(settings)
    , m_prompts(prompts)
    , m_session(library)
    , m_book(library)
    , m_annotations(new PlanAnnotations(*m_session.document(), prompts, this))
    , m_autosave(new Autosave(*m_session.document(), autosaveFolder, this))
    , m_watch(new FileWatch(*m_session.document(), this))
    , m_files(new FileController(m_session, settings, prompts, this))
    , m_theme(new ThemeChoice(settings, this))
    , m_undo(withIcon(m_session.document()->undoStack()->createUndoAction(this, tr("&Undo")), QStringLiteral("undo"),
                      QKeySequence::Undo))
    , m_redo(withIcon(m_session.document()->undoStack()->createRedoAction(this, tr("&Redo")), QStringLiteral("redo"),
                      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)))
    , m_find(withIcon(new QAction(tr("&Find …"), this), QStringLiteral("search"), QKeySequence(Qt::CTRL | Qt::Key_K)))
    , m_export(new ExportMenu(settings, prompts, this))
    , m_menus(new QMenuBar(this))
    , m_guide(new FigureGuide(m_book, this))
    , m_glossary(new GlossaryController(*m_guide, this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setMinimumSize(1000, 600);
    addFileMenu();
    addEditMenu();
    addPlanMenu();
    buildViews();
    addViewMenu();
    addHelpMenu();
    buildHeader();
    connectSession();
    connectFiles();
    connectAnnotations();
    connectViews();
    connectCalculators();
    connectEvidence();
    connectCompare();
    connectLessons();
    connectLaunch();
    connectStart();
    m_palette = new CommandPalette(this);
    connect(m_find, &QAction::triggered, this, &MainWindow::find);
    m_layout->restore();
    sayOwnPresets();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildViews() {
    auto *stack = new ViewStack(this);
    m_rail = new ViewRail(stack, this);
    const Library &library = m_session.library();
    for (View *each : std::initializer_list<View *>{
             new StartView(library, stack), new PlanPage(stack), new PipelineView(stack),
             new MemoryView(library, stack), new SitesView(library, stack), new SearchView(library, stack),
             new CompareView(library, stack), new ExplainView(m_book, stack), new CalculatorsView(stack),
             new EvidenceView(stack), new LessonsView(library, stack), new PlotsView(library, stack)})
        m_rail->add(each);
    m_notice = new NoticeStrip(stack);
    m_rail->current()->hostNotice(m_notice);
    m_searching = new SearchController(m_session, view<SearchView>(), this);
    m_found = new FoundStrip(view<SearchView>()->selection(), this);
    view<PlanPage>()->hostFound(m_found);
    m_searching->setStrip(m_found);
    addToolBar(Qt::LeftToolBarArea, m_rail);
    stack->setMinimumWidth(minCentreWidth); // otherwise the widest view would determine the width of the side panels
    setCentralWidget(stack);
    m_panels = new PanelColumn(m_session.library(), this);
    m_searching->setSliders(m_panels->parallelism(), m_panels->batch());
    m_details = new DetailsColumn(m_session.document()->undoStack(), this);
    m_layout = new WindowLayout(*this, m_settings, m_panels, m_details);
    m_status = new StatusLine(this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_status, 1);
}

void MainWindow::buildHeader() {
    m_header = new HeaderBar({.undo = m_undo, .redo = m_redo, .find = m_find, .exportMenu = m_export}, this);
    // One widget for the menus and the header, because a tool bar would add its own margins and colors.
    auto *top = new QWidget(this);
    auto *lines = new QVBoxLayout(top);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addWidget(m_menus);
    lines->addWidget(m_header);
    // Shown above every view until the user answers, unlike transient notices.
    for (NoticeStrip **bar : {&m_recoveryBar, &m_fileBar, &m_autosaveBar, &m_presetBar}) {
        *bar = new NoticeStrip(top);
        lines->addWidget(*bar);
    }
    m_recoveryBar->setObjectName(QStringLiteral("recoveryBar"));
    m_fileBar->setObjectName(QStringLiteral("fileBar"));
    m_autosaveBar->setObjectName(QStringLiteral("autosaveBar"));
    m_presetBar->setObjectName(QStringLiteral("presetBar"));
    setMenuWidget(top);
    setContextMenuPolicy(Qt::NoContextMenu); // panels are hidden through the View menu
    connect(m_header, &HeaderBar::nextThemeWanted, m_theme, &ThemeChoice::next);
    connect(m_theme, &ThemeChoice::changed, this, &MainWindow::showTheme);
    showTheme();
}

void MainWindow::connectSession() {
    PlanDocument *document = m_session.document();
    connect(m_panels, &PanelColumn::edited, document, &PlanDocument::apply);
    connect(m_panels, &PanelColumn::dragFinished, document, &PlanDocument::seal);
    // Undo from a menu or button first commits a value that is being typed, and then undoes it.
    QUndoStack *steps = document->undoStack();
    m_undo->disconnect(steps);
    m_redo->disconnect(steps);
    connect(m_undo, &QAction::triggered, this, [this, steps] {
        commitTyping(*this);
        steps->undo();
    });
    connect(m_redo, &QAction::triggered, this, [this, steps] {
        commitTyping(*this);
        steps->redo();
    });
    connect(&m_session, &PlanSession::planChanged, this, &MainWindow::showPlan);
    connect(&m_session, &PlanSession::resultChanged, this, &MainWindow::showResult);
    connect(document, &PlanDocument::originChanged, this, &MainWindow::showOrigin);
    connect(m_files, &FileController::noticed, this, &MainWindow::notice);
    connect(m_autosave, &Autosave::failed, this, [this](const QString &why) {
        m_autosaveBar->announce(Tone::Bad,
                                tr("Autosave is failing; a crash would lose your unsaved changes: %1").arg(why));
    });
    connect(m_autosave, &Autosave::unreadable, this, [this](const QString &what) { notice(Tone::Warn, what); });
    connect(m_autosave, &Autosave::recovered, m_autosaveBar, &NoticeStrip::hide);
    connect(&WorkFailures::instance(), &WorkFailures::failed, this,
            [this](const QString &what) { notice(Tone::Bad, what); });
    connect(m_files, &FileController::planOpened, m_notice, &NoticeStrip::hide);
    connect(m_files, &FileController::planOpened, this, [this] { m_refold = true; });
    connect(m_export, &ExportMenu::noticed, this, &MainWindow::notice);
    connect(m_export, &ExportMenu::writing, this, &MainWindow::announceWriting);
    connect(m_export, &ExportMenu::written, this, &MainWindow::announceFile);
    m_export->setView([this] { return static_cast<QStackedWidget *>(centralWidget())->currentWidget(); });
    m_export->setTable([this] { return currentPage(*this).table(*this); });
    m_export->setReportSource([this] {
        const SearchAnswerPointer &answer = m_searching->answer();
        const PlanView &plan = m_session.view();
        const bool isOfPlan = answer != nullptr && answer->question.plan == plan.plan;
        return ReportInput{.result = plan.result,
                           .search = isOfPlan ? answer : nullptr,
                           .compared = m_compared->plansForReport(),
                           .file = QFileInfo(m_session.document()->path()).fileName()};
    });
}

const QVector<View *> &MainWindow::views() const {
    return m_rail->views();
}

void MainWindow::connectEvidence() {
    auto *evidence = view<EvidenceView>();
    m_measured = new EvidenceController(evidence, m_settings, m_prompts, m_notice);
    connect(m_measured, &EvidenceController::noticed, this, &MainWindow::notice);
    evidence->setFieldQuestion([this](const QString &pointer) { return m_panels->hasField(pointer); });
    connect(evidence, &EvidenceView::planWanted, this, [this](const nlohmann::ordered_json &document) {
        if (m_files->openDocument(document))
            goTo<PlanPage>();
    });
}

void MainWindow::showEvidenceOf(const QString &path) {
    goTo<EvidenceView>();
    m_measured->addFile(path);
}

void MainWindow::showView(View *view) {
    m_rail->show(view);
}

void MainWindow::connectViews() {
    for (View *each : views()) {
        connect(each, &View::edited, m_session.document(), &PlanDocument::apply);
        connect(each, &View::viewWanted, this, [this](const QString &name) {
            for (View *other : views())
                if (other->face().name == name)
                    showView(other);
        });
        connect(each, &View::noticed, this, &MainWindow::notice);
        if (each->problems() != nullptr)
            connectProblems(each->problems());
        if (const std::optional<FigureView> name = each->face().figures) {
            m_book.addDerivations(*name, [each](const QString &figure) { return each->derivationOf(figure); });
            m_book.addPlans(*name, [each](const QString &plan) { return each->planOf(plan); });
        }
    }
    connect(m_rail, &ViewRail::viewChanged, this, &MainWindow::enter);
    connectExplain();
    connectPlanPage();
    connect(m_panels, &PanelColumn::rateTraceWanted, m_files, &FileController::chooseRateTrace);
    connect(m_found, &FoundStrip::whyWanted, this, [this] { goTo<SearchView>(); });
    connect(m_guide, &FigureGuide::figureWanted, this, &MainWindow::showFigure);
    connect(m_guide, &FigureGuide::fieldWanted, this, &MainWindow::showField);
    connect(m_glossary, &GlossaryController::fieldWanted, this, &MainWindow::showField);
    m_glossary->setFieldName([this](const QString &pointer) { return m_panels->nameOf(pointer); });
    m_book.addDerivations(FigureView::sliders,
                          [this](const QString &figure) { return m_panels->derivationOf(figure); });
    view<SearchView>()->map()->chart()->setFormulaLines(
        [this](const FigureRef &path) { return m_guide->linesFor(path); });
    auto *pipeline = view<PipelineView>();
    connect(pipeline, &PipelineView::settled, this, [this, pipeline] { m_book.keepRuns(pipeline->schedules()); });
    connect(view<SitesView>(), &SitesView::simulated, &m_book, &FigureBook::keepSites);
}

void MainWindow::connectPlanPage() {
    auto *page = view<PlanPage>();
    page->setFormulaLines([this](const FigureRef &path) { return m_guide->linesFor(path); });
    connect(page, &PlanPage::becameWide, this, &MainWindow::showResult);
    connect(page, &PlanPage::schedulesDrawn, this, [this](const std::vector<DrawnSchedule> &schedules) {
        if (!view<PipelineView>()->isSettled()) // otherwise m_book already has the Pipeline view's simulations
            m_book.keepRuns(schedules);
    });
    connect(page->problems(), &ProblemsCard::fixConsidered, this, &MainWindow::previewFix);
    connect(page->memory(), &MemoryCard::smallestFitWanted, page, &PlanPage::seekFit);
    connect(page->goal(), &GoalCard::edited, m_session.document(), &PlanDocument::apply);
}

void MainWindow::enter(View *entered) {
    m_notice->leave();
    m_layout->makeRoom(entered->face().docks);
    m_panels->setScope(entered->face().scope);
    m_layout->foldToHeight();
    entered->hostNotice(m_notice); // notices appear in the visible view
    if (entered == view<StartView>())
        view<StartView>()->setRecentFiles(m_files->recentFiles()->files());
    entered->takeFocus();
}

void MainWindow::notice(Tone tone, const QString &text) {
    m_notice->announce(tone, text, {}, tr("Dismiss"));
}

void MainWindow::showPlan() {
    m_panels->showPlan(m_session.view());
    m_status->showPlan(m_session.view());
    showOrigin();
}

void MainWindow::showResult() {
    const PlanView &plan = m_session.view();
    m_book.showPlan(plan); // first, because the views read from m_book
    for (View *each : views())
        each->showPlan(plan);
    m_found->showPlan(plan);
    m_panels->showResult(plan);
    m_details->showPlan(plan);
    m_status->showPlan(plan);
    // While a plan is invalid, the window shows the result of its last valid version, which is not exported.
    const std::shared_ptr<const Result> exported = plan.valid ? plan.result : nullptr;
    m_export->setResult(exported, m_session.document()->name());
    m_header->setExportEnabled(exported != nullptr);
    if (std::exchange(m_refold, m_refold && !m_session.view().result))
        QTimer::singleShot(0, m_layout, &WindowLayout::foldToHeight); // after the sections have been laid out
    m_smallestFit->setEnabled(plan.valid && plan.result && !plan.result->verdict.fits);
    goToAwaitedField();
}

void MainWindow::showTheme() {
    m_header->setTheme(m_theme->iconName(), m_theme->description());
}

void MainWindow::resizeEvent(QResizeEvent *event) {
    QMainWindow::resizeEvent(event);
    if (m_rail != nullptr)
        m_rail->setCompact(width() < WindowLayout::CompactBelow);
    if (m_layout != nullptr)
        m_layout->adapt();
}

} // namespace meshwright
