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
#include <QVector>

#include <functional>
#include <memory>
#include <optional>

class QMenuBar;

namespace meshwright {

class Autosave;
class CommandPalette;
class DetailsColumn;
class EvidenceController;
class ExportMenu;
class FigureGuide;
class FileController;
class FileWatch;
class FoundStrip;
class HeaderBar;
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

/// The one window: joins the session to its views and its menus. What it does itself is little: each part has a class.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// All outlive the window.
    /// @param autosaveFolder  see Autosave::standardFolder()
    MainWindow(const Library &library, Settings &settings, Prompts &prompts, const QString &autosaveFolder);
    ~MainWindow() override;

    PlanSession *session() { return &m_session; }
    FigureBook &book() { return m_book; }
    FileController *files() { return m_files; }
    const QVector<View *> &views() const;
    /// The view of a class, which is in the window once.
    template <typename Kind>
    Kind *view() const {
        for (View *each : views())
            if (auto *found = qobject_cast<Kind *>(each))
                return found;
        return nullptr;
    }
    /// Shows it.
    template <typename Kind>
    Kind *goTo() {
        auto *found = view<Kind>();
        showView(found);
        return found;
    }
    void showView(View *view);
    SearchController *searching() const { return m_searching; }
    /// Passing announcements, over the view in sight.
    NoticeStrip *notices() const { return m_notice; }
    CommandPalette *commandPalette() const { return m_palette; }
    /// Opens the palette over the window.
    void find();
    /// Goes to the filter of the view in sight; opens the palette where it has none.
    void findInView();
    ViewRail *rail() const { return m_rail; }
    WindowLayout *layoutOfDocks() const { return m_layout; }
    Autosave *autosave() const { return m_autosave; }
    PresetMenu *presetMenu() const { return m_presets; }

    /// Opens a file, or "preset:ID"; with neither, shows the start page over a small plan to play with.
    void openAtStart(const QString &plan);
    /// Says so if a crash left a plan behind; after the answer, of the next one.
    void offerRecovery();
    /// Ends the program as a signal asks, which lets nobody answer questions: unsaved edits are offered at the next
    /// start.
    void endKeepingWork(int signal);

protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void buildViews();
    void buildHeader();
    void connectViews();
    void connectSession();
    void connectFiles();
    void connectAnnotations();
    void showSnapshots();
    /// Says that a file was exported, and offers what one does with it next.
    void announceWriting(const QString &path);
    void announceFile(const QString &path);
    void connectPlanPage();
    void connectProblems(ProblemsCard *problems);
    void connectCalculators();
    void connectStart();
    void showFor(StartGoal goal);
    void openCalculator(const QString &id, const ArgumentTexts &texts);
    void connectEvidence();
    /// Adds a table of measured runs to the evidence.
    void showEvidenceOf(const QString &path);
    void addFileMenu();
    void addEditMenu();
    void addPlanMenu();
    void addViewMenu();
    void addHelpMenu();
    QAction *addTo(QMenu *menu, const QString &text, const QKeySequence &keys, std::function<void()> run);
    void notice(Tone tone, const QString &text);
    /// What the palette finds besides the menus' actions.
    QVector<PaletteItem> wayItems();
    void setGoal();
    void seekFit();
    void applyFix(const Fix &fix);
    /// What a fix changes of the plan as it is, with what follows from it: "Tensor 8 → 4, Data 128 → 256".
    QString changesOf(const Fix &fix) const;
    Plan planAfter(const Fix &fix) const;
    /// Draws the memory that a fix would leave over that of the plan; nothing takes it away.
    void previewFix(const std::optional<Fix> &fix);
    void showFigure(const FigureRef &figure);
    void showField(const QString &pointer);
    void showCurve(const QString &id);
    void enter(View *entered);
    void showPanels();
    void connectExplain();
    /// Once the plan that it is a field of is shown.
    void goToAwaitedField();
    void showPlan();
    void showResult();
    void showOrigin();
    void showTheme();
    void sayOwnPresets();

    Settings &m_settings;
    Prompts &m_prompts;
    PlanSession m_session;
    FigureBook m_book; ///< before the views that read it
    PlanAnnotations *m_annotations;
    Autosave *m_autosave;
    FileWatch *m_watch;
    NoticeStrip *m_recoveryBar = nullptr;
    NoticeStrip *m_autosaveBar = nullptr; ///< stands while unsaved edits cannot be kept
    NoticeStrip *m_fileBar = nullptr;
    NoticeStrip *m_presetBar = nullptr; ///< what is to be known of the user's own presets
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
    EvidenceController *m_measured = nullptr;
    CommandPalette *m_palette = nullptr;
    ViewRail *m_rail = nullptr;
    NoticeStrip *m_notice;
    StatusLine *m_status = nullptr;
    WindowLayout *m_layout = nullptr;
    QString m_awaitedField; ///< of a plan that is being evaluated; empty for none
    bool m_refold = true; ///< the next result is the first of its plan
};

} // namespace meshwright
