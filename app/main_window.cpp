// SPDX-License-Identifier: GPL-3.0-or-later
#include "main_window.h"

#include "autosave.h"
#include "calculators/calculators_view.h"
#include "catalog/library.h"
#include "controls/notice_strip.h"
#include "controls/text_undo.h"
#include "evidence/evidence_view.h"
#include "explain/explain_tree.h"
#include "explain/explain_view.h"
#include "explain/figure_guide.h"
#include "export_menu.h"
#include "figure_makers.h"
#include "file_controller.h"
#include "file_watch.h"
#include "gantt/pipeline_view.h"
#include "header_bar.h"
#include "memory/memory_view.h"
#include "models/work_guard.h"
#include "palette/command_palette.h"
#include "palette_items.h"
#include "panels/details_column.h"
#include "panels/panel_column.h"
#include "panels/parallelism_panel.h"
#include "panels/run_curves_view.h"
#include "plan/memory_card.h"
#include "plan/plan_page.h"
#include "plan_annotations.h"
#include "preset_menu.h"
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
#include "view_rail.h"
#include "views/problems_card.h"
#include "window_layout.h"

#include <QAction>
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

constexpr int leastCentreWidth = 560;

QAction *withIcon(QAction *action, const QString &icon, const QKeySequence &keys) {
    action->setIcon(icons::icon(icon));
    action->setShortcut(keys);
    return action;
}

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
    , m_guide(new FigureGuide(m_book, this)) {
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
    connectGoals();
    connectCalculators();
    connectEvidence();
    connectStart();
    m_palette = new CommandPalette(this);
    connect(m_find, &QAction::triggered, this, &MainWindow::find);
    m_layout->restore();
    sayOwnPresets();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildViews() {
    auto *stack = new QStackedWidget(this);
    m_start = new StartView(m_session.library(), stack);
    m_page = new PlanPage(stack);
    m_explain = new ExplainView(m_book, stack);
    m_pipeline = new PipelineView(stack);
    m_memory = new MemoryView(m_session.library(), stack);
    m_search = new SearchView(m_session.library(), stack);
    m_searching = new SearchController(m_session, m_search, this);
    m_found = new FoundStrip(m_search->selection(), this);
    m_page->hostFound(m_found);
    m_searching->setStrip(m_found);
    m_sites = new SitesView(m_session.library(), stack);
    m_calculators = new CalculatorsView(stack);
    m_evidence = new EvidenceView(stack);
    m_views = new ViewRail(stack, this);
    m_views->addHome(m_start, tr("Start"), QStringLiteral("home"));
    m_views->addView(m_page, tr("Plan"), QStringLiteral("plan"));
    m_views->addView(m_pipeline, tr("Pipeline"), QStringLiteral("pipeline"));
    m_views->addView(m_memory, tr("Memory"), QStringLiteral("mem"));
    m_views->addView(m_sites, tr("Sites"), QStringLiteral("sites"));
    m_views->addView(m_search, tr("Search"), QStringLiteral("search"));
    m_views->addView(m_explain, tr("Explain"), QStringLiteral("explain"));
    m_views->addView(m_calculators, tr("Formulas"), QStringLiteral("calc"));
    m_views->addView(m_evidence, tr("Evidence"), QStringLiteral("evidence"));
    addToolBar(Qt::LeftToolBarArea, m_views);
    stack->setMinimumWidth(leastCentreWidth); // else the widest of all views would keep the sides narrow
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
    // One widget for both lines: a tool bar would add its own margins and colours to the header.
    auto *top = new QWidget(this);
    auto *lines = new QVBoxLayout(top);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addWidget(m_menus);
    lines->addWidget(m_header);
    // Over every view, and apart from passing notices: each waits for its answer.
    for (NoticeStrip **bar : {&m_recoveryBar, &m_fileBar, &m_autosaveBar, &m_presetBar}) {
        *bar = new NoticeStrip(top);
        lines->addWidget(*bar);
    }
    m_recoveryBar->setObjectName(QStringLiteral("recoveryBar"));
    m_fileBar->setObjectName(QStringLiteral("fileBar"));
    m_autosaveBar->setObjectName(QStringLiteral("autosaveBar"));
    m_presetBar->setObjectName(QStringLiteral("presetBar"));
    setMenuWidget(top);
    setContextMenuPolicy(Qt::NoContextMenu); // the View menu says what can be hidden
    connect(m_header, &HeaderBar::nextThemeWanted, m_theme, &ThemeChoice::next);
    connect(m_theme, &ThemeChoice::changed, this, &MainWindow::showTheme);
    showTheme();
}

void MainWindow::connectSession() {
    PlanDocument *document = m_session.document();
    connect(m_panels, &PanelColumn::edited, document, &PlanDocument::apply);
    connect(m_panels, &PanelColumn::dragFinished, document, &PlanDocument::seal);
    // From a menu or button the keys' owner does not matter: what is being typed becomes a step first, and is undone.
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
    connect(m_page, &PlanPage::becameWide, this, &MainWindow::showResult);
    connect(m_files, &FileController::noticed, this, &MainWindow::notice);
    connect(m_autosave, &Autosave::failed, this, [this](const QString &why) {
        m_autosaveBar->announce(Tone::Bad,
                                tr("Autosave is failing; a crash would lose your unsaved changes: %1").arg(why));
    });
    connect(m_autosave, &Autosave::unreadable, this, [this](const QString &what) { notice(Tone::Warn, what); });
    connect(m_autosave, &Autosave::recovered, m_autosaveBar, &NoticeStrip::hide);
    connect(&WorkFailures::instance(), &WorkFailures::failed, this,
            [this](const QString &what) { notice(Tone::Bad, what); });
    connect(m_files, &FileController::planOpened, m_page->notice(), &NoticeStrip::hide);
    connect(m_files, &FileController::planOpened, this, [this] { m_refold = true; });
    connect(m_export, &ExportMenu::noticed, this, &MainWindow::notice);
    connect(m_export, &ExportMenu::written, this, &MainWindow::announceFile);
    m_export->setView([this] { return static_cast<QStackedWidget *>(centralWidget())->currentWidget(); });
}

void MainWindow::connectViews() {
    connectExplain();
    connect(m_page, &PlanPage::figureWanted, this, &MainWindow::showFigure);
    connect(m_page, &PlanPage::fieldWanted, this, &MainWindow::showField);
    connect(m_details, &DetailsColumn::figureWanted, this, &MainWindow::showFigure);
    connect(m_panels, &PanelColumn::figureWanted, this, &MainWindow::showFigure);
    connect(m_panels, &PanelColumn::rateTraceWanted, m_files, &FileController::chooseRateTrace);
    connect(m_status, &StatusLine::figureWanted, this, &MainWindow::showFigure);
    connect(m_guide, &FigureGuide::figureWanted, this, &MainWindow::showFigure);
    connect(m_guide, &FigureGuide::fieldWanted, this, &MainWindow::showField);
    addMakers(m_book, {m_start, m_search, m_evidence, m_memory, m_sites, m_panels->parallelism(), m_panels->batch()});
    const auto lines = [this](const QString &path) { return m_guide->linesFor(path); };
    m_page->setFormulaLines(lines);
    m_search->map()->chart()->setFormulaLines(lines);
    connect(m_pipeline, &PipelineView::edited, m_session.document(), &PlanDocument::apply);
    connectProblems();
    connect(m_page, &PlanPage::pipelineWanted, this, [this] { m_views->show(m_pipeline); });
    connect(m_page, &PlanPage::sitesWanted, this, [this] { m_views->show(m_sites); });
    connect(m_page, &PlanPage::schedulesDrawn, this, [this](const std::vector<DrawnSchedule> &schedules) {
        if (!m_pipeline->isSettled()) // else it has those of the plan, and more
            m_book.keepRuns(schedules);
    });
    connect(m_pipeline, &PipelineView::figureWanted, this, &MainWindow::showFigure);
    connect(m_pipeline, &PipelineView::settled, this, [this] { m_book.keepRuns(m_pipeline->schedules()); });
    connect(m_sites, &SitesView::simulated, &m_book, &FigureBook::keepSites);
    connect(m_memory, &MemoryView::figureWanted, this, &MainWindow::showFigure);
    connect(m_search, &SearchView::figureWanted, this, &MainWindow::showFigure);
    connect(m_found, &FoundStrip::figureWanted, this, &MainWindow::showFigure);
    connect(m_found, &FoundStrip::whyWanted, this, [this] { m_views->show(m_search); });
    connect(m_sites, &SitesView::edited, m_session.document(), &PlanDocument::apply);
    connect(m_sites, &SitesView::figureWanted, this, &MainWindow::showFigure);
    connect(m_sites, &SitesView::fieldWanted, this, &MainWindow::showField);
    // What is announced stays in sight whichever view is shown.
    connect(m_views, &ViewRail::viewChanged, this, [this](QWidget *page) {
        m_page->notice()->leave();
        m_layout->giveWholeWidth(page == m_start || page == m_pipeline || page == m_memory || page == m_search
                                 || page == m_evidence);
        m_layout->giveDetailsWidth(page == m_sites || page == m_calculators);
        m_panels->setScope(page == m_sites ? PanelColumn::Scope::BetweenSites : PanelColumn::Scope::Everything);
        m_layout->foldToHeight();
        if (page == m_start) {
            m_start->hostNotice(m_page->notice());
            showStart();
        } else if (page == m_explain) {
            m_explain->hostNotice(m_page->notice());
            m_explain->tree()->setFocus();
        } else if (page == m_pipeline) {
            m_pipeline->hostNotice(m_page->notice());
            m_pipeline->setFocus();
        } else if (page == m_memory) {
            m_memory->hostNotice(m_page->notice());
            m_memory->setFocus();
        } else if (page == m_search) {
            m_search->hostNotice(m_page->notice());
            m_search->setFocus();
        } else if (page == m_sites) {
            m_sites->hostNotice(m_page->notice());
            m_sites->setFocus();
        } else if (page == m_calculators) {
            m_calculators->hostNotice(m_page->notice());
        } else if (page == m_evidence) {
            m_evidence->hostNotice(m_page->notice());
            m_evidence->setFocus();
        } else {
            m_page->hostNotice(m_page->notice());
        }
    });
}

void MainWindow::notice(Tone tone, const QString &text) {
    m_page->notice()->announce(tone, text, {}, tr("Dismiss"));
}

void MainWindow::showPlan() {
    m_panels->showPlan(m_session.view());
    m_status->showPlan(m_session.view());
    showOrigin();
}

void MainWindow::showResult() {
    const PlanView &view = m_session.view();
    m_book.showPlan(view);
    m_page->showPlan(view);
    m_explain->showPlan(view);
    m_pipeline->showPlan(view);
    m_memory->showPlan(view);
    m_search->showPlan(view);
    m_found->showPlan(view);
    m_sites->showPlan(view);
    m_evidence->showPlan(view);
    m_panels->showResult(view);
    m_details->showPlan(view);
    m_status->showPlan(view);
    m_export->setResult(view.result, m_session.document()->name());
    m_header->setExportEnabled(view.result != nullptr);
    if (std::exchange(m_refold, m_refold && !m_session.view().result))
        QTimer::singleShot(0, m_layout, &WindowLayout::foldToHeight); // once the sections know their heights
    m_smallestFit->setEnabled(view.valid && view.result && !view.result->verdict.fits);
    goToAwaitedField();
}

void MainWindow::showTheme() {
    m_header->setTheme(m_theme->iconName(), m_theme->description());
}

void MainWindow::resizeEvent(QResizeEvent *event) {
    QMainWindow::resizeEvent(event);
    if (m_views != nullptr)
        m_views->setCompact(width() < WindowLayout::CompactBelow);
    if (m_layout != nullptr)
        m_layout->adapt();
}

} // namespace meshwright
