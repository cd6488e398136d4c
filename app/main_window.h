// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calculators/calculator.h"
#include "catalog/library.h"
#include "explain/figure_book.h"
#include "figures/figure_ref.h"
#include "plan_session.h"
#include "start/start_goal.h"
#include "theme/roles.h"

#include <QMainWindow>
#include <QPointer>
#include <QVector>

#include <functional>
#include <memory>
#include <optional>

class QMenuBar;

namespace meshwright {

class Autosave;
class CommandPalette;
class CompareController;
class DetailsColumn;
class EvidenceController;
class ExportMenu;
class FigureGuide;
class FileController;
class FileWatch;
class FoundStrip;
class GlossaryController;
class GuideWindow;
class HeaderBar;
class ImportController;
class NoticeStrip;
class PanelColumn;
class PlanAnnotations;
class PresetMenu;
class ProblemsCard;
class Prompts;
class SearchController;
class Settings;
class StatusLine;
class ThemeChoice;
class View;
class ViewRail;
struct PaletteItem;
class WindowLayout;

/// The main window: connects the session with views and menus. Each part has its own class.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// All arguments outlive the window.
    /// @param autosaveFolder  see Autosave::standardFolder()
    MainWindow(const Library &library, Settings &settings, Prompts &prompts, const QString &autosaveFolder);
    ~MainWindow() override;

    PlanSession *session() { return &m_session; }
    FigureBook &book() { return m_book; }
    FileController *files() { return m_files; }
    const QVector<View *> &views() const;
    /// The window's view of class `Kind`; there is one view per class.
    template <typename Kind>
    Kind *view() const {
        for (View *each : views())
            if (auto *found = qobject_cast<Kind *>(each))
                return found;
        return nullptr;
    }
    /// Shows the view of class `Kind`.
    template <typename Kind>
    Kind *goTo() {
        auto *found = view<Kind>();
        showView(found);
        return found;
    }
    void showView(View *view);
    SearchController *searching() const { return m_searching; }
    /// Transient notices above the current view.
    NoticeStrip *notices() const { return m_notice; }
    CommandPalette *commandPalette() const { return m_palette; }
    GlossaryController *glossary() const { return m_glossary; }
    /// Opens the palette over the window.
    void find();
    /// Focuses the current view's filter; opens the palette if the view has no filter.
    void findInView();
    ViewRail *rail() const { return m_rail; }
    ImportController *imports() const { return m_imports; }
    WindowLayout *layoutOfDocks() const { return m_layout; }
    Autosave *autosave() const { return m_autosave; }
    PresetMenu *presetMenu() const { return m_presets; }

    /// Opens a file or "preset:ID"; if empty, shows the start page over a small example plan.
    void openAtStart(const QString &plan);
    /// Offers to recover a plan after a crash; after the answer, offers the next one.
    void offerRecovery();
    /// Ends the program on a signal without asking; unsaved edits can be recovered at the next start.
    void endKeepingWork(int signal);

protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void buildViews();
    void buildHeader();
    void connectViews();
    void connectSession();
    void connectFiles();
    void connectAnnotations();
    void showSnapshots();
    /// Announces an exported file and offers to open it.
    void announceWriting(const QString &path);
    void announceFile(const QString &path);
    void connectPlanPage();
    void connectProblems(ProblemsCard *problems);
    void connectCalculators();
    void connectStart();
    void showFor(StartGoal goal);
    void openCalculator(const QString &id, const ArgumentTexts &texts);
    void connectEvidence();
    void connectCompare();
    /// The menu of ready-made comparisons, for the Plan menu.
    QMenu *newCompareMenu(QWidget *parent);
    /// Adds a table of measured runs to the evidence view.
    void showEvidenceOf(const QString &path);
    void connectLessons();
    void exportHandOut(const QString &lesson);
    void connectLaunch();
    /// Opens dropped or pasted files; several files are opened together.
    void openPaths(const QStringList &paths);
    /// Pastes into the field being edited; if there is none, opens the clipboard's content.
    void paste();
    void addFileMenu();
    void addEditMenu();
    void addPlanMenu();
    void addViewMenu();
    void addHelpMenu();
    /// Opens the user guide at the page of the current view.
    void showGuide();
    QAction *addTo(QMenu *menu, const QString &text, const QKeySequence &keys, std::function<void()> run);
    void notice(Tone tone, const QString &text);
    /// Palette items other than the menus' actions.
    QVector<PaletteItem> wayItems();
    void setGoal();
    void seekFit();
    void applyFix(const Fix &fix);
    /// The changes that a fix makes to the current plan, including derived fields: "Tensor 8 → 4, Data 128 → 256".
    QString changesOf(const Fix &fix) const;
    Plan planAfter(const Fix &fix) const;
    /// Draws, over the plan's memory, the memory after a fix; an empty fix removes this drawing.
    void previewFix(const std::optional<Fix> &fix);
    void showFigure(const FigureRef &figure);
    void showField(const QString &pointer);
    void showCurve(const QString &id);
    void enter(View *entered);
    void showPanels();
    void connectExplain();
    /// Shows the requested field once the plan has been evaluated.
    void goToAwaitedField();
    void showPlan();
    void showResult();
    void showOrigin();
    void showTheme();
    void sayOwnPresets();

    Settings &m_settings;
    Prompts &m_prompts;
    PlanSession m_session;
    FigureBook m_book; ///< declared before the views that read it
    PlanAnnotations *m_annotations;
    Autosave *m_autosave;
    FileWatch *m_watch;
    NoticeStrip *m_recoveryBar = nullptr;
    NoticeStrip *m_autosaveBar = nullptr; ///< shown while autosave fails
    NoticeStrip *m_fileBar = nullptr;
    NoticeStrip *m_presetBar = nullptr; ///< warnings about user presets
    FileController *m_files;
    ThemeChoice *m_theme;
    QAction *m_undo;
    QAction *m_redo;
    QAction *m_find;
    QAction *m_smallestFit = nullptr;
    ExportMenu *m_export;
    PresetMenu *m_presets = nullptr;
    QMenuBar *m_menus;
    HeaderBar *m_header = nullptr;
    PanelColumn *m_panels = nullptr;
    DetailsColumn *m_details = nullptr;
    SearchController *m_searching = nullptr;
    FoundStrip *m_found = nullptr;
    FigureGuide *m_guide;
    GlossaryController *m_glossary;
    EvidenceController *m_measured = nullptr;
    CompareController *m_compared = nullptr;
    ImportController *m_imports = nullptr;
    CommandPalette *m_palette = nullptr;
    ViewRail *m_rail = nullptr;
    NoticeStrip *m_notice;
    StatusLine *m_status = nullptr;
    WindowLayout *m_layout = nullptr;
    QPointer<GuideWindow> m_userGuide; ///< the user guide's window while it is open
    QString m_awaitedField; ///< field to show after the evaluation; may be empty
    bool m_refold = true; ///< whether the next result is the first one of its plan
};

} // namespace meshwright
