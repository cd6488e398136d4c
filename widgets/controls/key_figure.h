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

/// A card with one figure: what it is, how sure it is, and how it is judged. The whole card is the button for "why";
/// what stands below the figure opens by itself, by a click on it or by Left and Right and Enter.
class KeyFigure : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    /// An 80 % interval. The texts stand at its ends; low <= estimate <= high in any one unit.
    struct Interval {
        double low = 0;
        double estimate = 0;
        double high = 0;
        QString lowText;
        QString highText;
        FigureRef lowFigure = {}; ///< what stands at the ends
        FigureRef highFigure = {};
    };

    explicit KeyFigure(const QString &title = {}, const QString &iconName = {}, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setIconName(const QString &name);
    /// What the card is for.
    void setFigureRef(const FigureRef &figure) { m_ref = figure; }
    /// The figure is short ("4.6", "1,457"); the unit stands small beside it and may be words ("GB free").
    void setFigure(const QString &figure, const QString &unit, Tone tone = Tone::Neutral);
    /// Empty text for none. Shown right of the figure; where there is no room as its icon alone, and the figure
    /// smaller: the unit, which says what the figure is, never gives way.
    void setVerdict(const QString &text, Tone tone = Tone::Neutral);
    /// Offers a goal for the figure: a word in the heading, and the key G.
    void setTakesGoal(bool takes);
    void setSubline(const SentenceText &line);
    void setInterval(const std::optional<Interval> &interval);
    /// Tints the figure: it belongs to an earlier plan and a new one is on its way.
    void setStale(bool stale);
    bool isStale() const { return m_stale; }

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override { return figureOf(targetAt(place)); }
    FigureTarget targetAt(const QPoint &place) const override { return targetOf(placeAt(place)); }
    FigureRef currentFigure() const override { return figureOf(currentTarget()); }
    FigureTarget currentTarget() const override { return targetOf(m_current); }
    bool hasOwnHover(const QPoint &place) const override { return placeAt(place) < 0; }

    /// What opens by itself, and where it stands.
    struct Place {
        QRectF area;
        FigureTarget target;
    };
    std::vector<Place> places() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A goal is to be typed for it.
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
    /// Width of "why" with its mark, or of the mark alone where the heading has no room for more.
    qreal whyWidth() const;
    void placeGoal();
    void paintInterval(QPainter &painter, const QRectF &area) const;
    void paintPlaces(QPainter &painter) const;
    int placeAt(const QPoint &at) const;
    FigureTarget targetOf(int place) const;
    void move(int step);
    void describe();

    FigureRef m_ref;
    int m_pointed = -1; ///< among places()
    int m_current = -1; ///< the same by the keys; -1 for the whole card
    QString m_iconName;
    QString m_figure;
    QString m_unit;
    Tone m_figureTone = Tone::Neutral;
    QString m_verdict;
    Tone m_verdictTone = Tone::Neutral;
    SentenceText m_subline;
    std::optional<Interval> m_interval;
    bool m_stale = false;
    LinkButton *m_goal = nullptr; ///< where it takes one
};

} // namespace meshwright
