// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"

#include <QString>
#include <QVector>
#include <QWidget>

namespace meshwright {

/// Names and figures in one line: "makespan 5.92 s  bubble 14.2%". Entries that do not fit are dropped from the end.
/// A click, or the arrow keys and Enter, opens a figure's derivation.
class FigureLine : public QWidget, public FigureSource {
    Q_OBJECT

public:
    struct Entry {
        QString name;
        QString value;
        FigureRef figure = {}; ///< empty if the value is not a figure of a result
    };

    explicit FigureLine(QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setEntries(const QVector<Entry> &entries);
    const QVector<Entry> &entries() const { return m_entries; }
    /// Text of the tool tip; entries that do not fit are listed below it.
    void setExplanation(const QString &explanation);

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override;
    bool isScaleAt(const QPoint &place) const override; ///< whether the position is in the title
    /// The rectangle of an entry; empty if the entry does not fit.
    QRect areaOf(int entry) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void describe();
    QString spoken() const;
    void showToolTip();
    int entryAt(const QPoint &place) const;
    void point(int entry);
    void move(int step);

    QString m_title;
    QString m_explanation;
    QVector<Entry> m_entries;
    int m_pointed = -1;
    int m_current = -1; ///< entry selected with the keyboard
};

} // namespace meshwright
