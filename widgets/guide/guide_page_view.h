// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace meshwright {

/// Shows one Markdown page of the user guide: text in the theme's type and colors, pictures scaled to the width. Loads
/// nothing but pictures from its folder. Tab moves from link to link, Enter opens one.
class GuidePageView : public QWidget {
    Q_OBJECT

public:
    explicit GuidePageView(QWidget *parent = nullptr);

    /// @param folder  folder with the page's pictures
    void setFolder(const QString &folder);
    /// @param title  title of the page for assistive technology
    void showPage(const QString &title, const QString &markdown);
    /// Scrolls to the heading with this anchor (see heading_anchor()); to the top for an unknown or empty one.
    void scrollTo(const QString &anchor);

    /// Marks all occurrences of a text and scrolls to the first; an empty text removes the marks.
    void mark(const QString &text);
    enum class Direction { Forward, Backward };
    /// Scrolls to the next marked occurrence; after the last one, to the first.
    void goToNextMark(Direction direction);

    int scrollPosition() const;
    void setScrollPosition(int position);

Q_SIGNALS:
    void linkActivated(const QString &target);
    /// The pointer has entered or left a link; `target` is empty if it has left.
    /// @param at  position in this widget's coordinates
    void linkHovered(const QString &target, const QPoint &at);

private:
    class Browser;
    Browser *m_browser;
};

} // namespace meshwright
