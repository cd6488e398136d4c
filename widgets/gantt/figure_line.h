// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"

#include <QString>
#include <QVector>
#include <QWidget>

namespace meshwright {

/// Names with their figures in one line: "makespan 5.92 s  bubble 14.2 %". What has no room is left out from the end.
/// A figure is pressed to have it explained, by click or with the arrow keys and Enter.
class FigureLine : public QWidget, public FigureSource {
    Q_OBJECT

public:
    struct Entry {
        QString name;
        QString value;
        FigureRef figure = {}; ///< empty for what is no figure of a result
    };

    explicit FigureLine(QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setEntries(const QVector<Entry> &entries);
    const QVector<Entry> &entries() const { return m_entries; }
    /// What the tool tip says of the figures, above those that have no room.
    void setExplanation(const QString &explanation);

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override;
    bool isScaleAt(const QPoint &place) const override; ///< the title, a name
    /// Where an entry stands; empty where there is no room for it.
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
    int m_pointed = -1; ///< entry under the pointer
    int m_current = -1; ///< that the keys stand on
};

} // namespace meshwright
