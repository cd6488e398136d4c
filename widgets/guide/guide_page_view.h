// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace meshwright {

/// Shows one Markdown page of the user guide, with the theme's type and colors and pictures scaled to the width. Loads
/// nothing but pictures from its folder. Tab moves between links, Enter opens one.
class GuidePageView : public QWidget {
    Q_OBJECT

public:
    explicit GuidePageView(QWidget *parent = nullptr);

    void setFolder(const QString &folder);
    void showPage(const QString &title, const QString &markdown);
    /// Scrolls to the heading with this anchor (see heading_anchor()), or to the top if it is empty or unknown.
    void scrollTo(const QString &anchor);

    /// Highlights all occurrences of a text and scrolls to the first. An empty text removes the highlights.
    void mark(const QString &text);
    enum class Direction { Forward, Backward };
    /// Scrolls to the next highlighted occurrence; after the last, to the first.
    void goToNextMark(Direction direction);

    int scrollPosition() const;
    void setScrollPosition(int position);

Q_SIGNALS:
    void linkActivated(const QString &target);
    /// The pointer entered or left a link; `target` is empty if it left.
    /// @param at  position in this widget's coordinates
    void linkHovered(const QString &target, const QPoint &at);

private:
    class Browser;
    Browser *m_browser;
};

} // namespace meshwright
