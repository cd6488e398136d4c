// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "figures/sentence_text.h"
#include "theme/roles.h"

#include <QAbstractButton>
#include <QRectF>

#include <optional>
#include <vector>

namespace meshwright {

class LinkButton;

/// A card with one key figure, its interval and a verdict. The whole card is a button that opens the derivation.
/// Figures in the line below it open their own derivations, by click or with the keys Left, Right and Enter.
class KeyFigure : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    /// An 80% interval and texts for its ends: low <= estimate <= high, in one unit.
    struct Interval {
        double low = 0;
        double estimate = 0;
        double high = 0;
        QString lowText;
        QString highText;
        FigureRef lowFigure = {}; ///< figure whose derivation the low end opens
        FigureRef highFigure = {};
    };

    explicit KeyFigure(const QString &title = {}, const QString &iconName = {}, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setIconName(const QString &name);
    void setFigureRef(const FigureRef &figure) { m_ref = figure; }
    /// @param figure  short number, such as "4.6" or "1,457"
    /// @param unit  shown in small type after the figure; may include words: "GB free"
    void setFigure(const QString &figure, const QString &unit, Tone tone = Tone::Neutral);
    /// Sets the verdict to the right of the figure; empty for none. If there is too little room, the verdict becomes an
    /// icon and the figure shrinks, but the unit is never cut.
    void setVerdict(const QString &text, Tone tone = Tone::Neutral);
    /// Lets the user set a goal for the figure, with a link in the heading or the key G.
    void setTakesGoal(bool takes);
    void setSubline(const SentenceText &line);
    void setInterval(const std::optional<Interval> &interval);
    void setStale(bool stale);
    bool isStale() const { return m_stale; }

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override { return figureOf(targetAt(place)); }
    FigureTarget targetAt(const QPoint &place) const override { return targetOf(placeAt(place)); }
    FigureRef currentFigure() const override { return figureOf(currentTarget()); }
    FigureTarget currentTarget() const override { return targetOf(m_current); }
    bool hasOwnHover(const QPoint &place) const override { return placeAt(place) < 0; }

    /// An area of the card that opens the derivation of its own figure.
    struct Place {
        QRectF area;
        FigureTarget target;
    };
    std::vector<Place> places() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void goalWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void paintHeading(QPainter &painter, const QRectF &area) const;
    void paintFigure(QPainter &painter, const QRectF &area) const;
    void paintVerdict(QPainter &painter, const QRectF &area, qreal left, qreal width) const;
    /// Width of the word "why" with its icon, or of the icon alone if the heading has no room.
    qreal whyWidth() const;
    void placeGoal();
    void paintInterval(QPainter &painter, const QRectF &area) const;
    void paintPlaces(QPainter &painter) const;
    int placeAt(const QPoint &at) const;
    FigureTarget targetOf(int place) const;
    void move(int step);
    void describe();

    FigureRef m_ref;
    int m_pointed = -1; ///< index into places() of the part under the pointer
    int m_current = -1; ///< index into places() of the part selected by keyboard; -1 for the whole card
    QString m_iconName;
    QString m_figure;
    QString m_unit;
    Tone m_figureTone = Tone::Neutral;
    QString m_verdict;
    Tone m_verdictTone = Tone::Neutral;
    SentenceText m_subline;
    std::optional<Interval> m_interval;
    bool m_stale = false;
    LinkButton *m_goal = nullptr; ///< null if no goal can be set
};

} // namespace meshwright
