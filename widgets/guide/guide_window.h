// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "guide/guide_text.h"

#include <QDialog>
#include <QTimer>

#include <vector>

class QAction;
class QHBoxLayout;
class QLineEdit;
class QListWidget;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace meshwright {

class GuidePageView;
class TextLabel;

/// The user guide in its own window: contents or search results on the left, the page on the right. The constructor
/// reads all pages, so construct it only when the window is first opened.
class GuideWindow : public QDialog {
    Q_OBJECT

public:
    /// @param library  provides schemas and presets for generated tables; must outlive the window
    GuideWindow(const Library &library, const Glossary &glossary, QWidget *parent);

    /// Shows a page by id, or the first page if the id is unknown. The previous page goes into the history.
    void openPage(const QString &id, const QString &anchor = {});
    QString currentPage() const { return m_current.page; }

    const QVector<GuideText> &texts() const { return m_texts; }
    GuidePageView *page() const { return m_page; }
    QTreeWidget *contents() const { return m_contents; }
    QListWidget *results() const { return m_results; }
    QLineEdit *searchField() const { return m_search; }
    QAction *backAction() const { return m_back; }
    QAction *forwardAction() const { return m_forward; }

    /// Follows a link in a page, such as "plan.md", "plan.md#goals", "#goals" or "term:mfu".
    void follow(const QString &target);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    /// A visited page and its scroll position.
    struct Visit {
        QString page; ///< page id, or "term:ID" for the definition of a term
        int scrolled = 0;
    };

    QHBoxLayout *newBar();
    void addActions();
    void fillContents();
    void goTo(const QString &page, const QString &anchor);
    void render(const QString &page);
    void move(std::vector<Visit> &from, std::vector<Visit> &to);
    void showPlace();
    void search();
    void openResult();
    void showDefinition(const QString &target, const QPoint &at);
    const GuideText *textOf(const QString &id) const;

    const Glossary &m_glossary;
    QVector<GuideText> m_texts;
    QVector<GuideMatch> m_matches;
    QAction *m_back;
    QAction *m_forward;
    QLineEdit *m_search;
    TextLabel *m_found; ///< shows the number of pages that contain the search text
    QTimer m_typing; ///< delays the search until the user stops typing
    QStackedWidget *m_side;
    QTreeWidget *m_contents;
    QListWidget *m_results;
    GuidePageView *m_page;
    HoverCardSlot m_card;
    Visit m_current;
    std::vector<Visit> m_behind; ///< pages visited before the current one
    std::vector<Visit> m_ahead; ///< pages that the user left by going back
    bool m_showing = false; ///< true while the contents select the shown page, which must not be opened again
};

} // namespace meshwright
