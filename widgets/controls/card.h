// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "figures/sentence_text.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QVBoxLayout;

namespace meshwright {

/// The title line of a card: title and subtitle on one baseline. The subtitle is hidden if it does not fit. A figure in
/// it opens through FigureWantedEvent.
class CardHeading : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit CardHeading(QWidget *parent = nullptr);
    void setTitle(const QString &title);
    void setSubtitle(const SentenceText &subtitle);

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    struct Place {
        QRectF area;
        FigureRef figure;
    };
    qreal subtitleLeft() const;
    bool hasRoom() const;
    std::vector<Place> places() const;
    int placeAt(const QPoint &at) const;
    void move(int step);

    QString m_title;
    SentenceText m_subtitle;
    int m_pointed = -1; ///< index into places() of the figure under the pointer
    int m_current = -1; ///< index into places() of the figure selected by keyboard
};

/// A rounded surface with 16 pixels of padding. Put content into contentLayout(), whose spacing is 8.
class Card : public QWidget {
    Q_OBJECT

public:
    explicit Card(QWidget *parent = nullptr);
    explicit Card(const QString &title, const QString &subtitle = {}, QWidget *parent = nullptr);

    /// Sets the title and the accessible name. Without title and trailing widgets, the title line takes no room.
    void setTitle(const QString &title);
    void setSubtitle(const SentenceText &subtitle);
    /// Adds a widget at the right of the title line, after previously added ones.
    void addTrailing(QWidget *widget);
    /// Sets the minimum height of the title line.
    void reserveHeading(int height);
    QVBoxLayout *contentLayout() const { return m_content; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QWidget *m_headingRow;
    CardHeading *m_heading;
    QHBoxLayout *m_headingLayout;
    QVBoxLayout *m_content;
};

} // namespace meshwright
