// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "figures/sentence_text.h"
#include "theme/roles.h"

#include <QFont>
#include <QHash>
#include <QTextLayout>
#include <QWidget>

#include <vector>

namespace meshwright {

/// A sentence with links, which open by click or by Left, Right and Enter. Figures open their derivation or their plan
/// field; terms open their definition. The sentence wraps, or stays on one line and is elided. Its text can be made
/// selectable.
class FigureSentence : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit FigureSentence(TypeRole type = TypeRole::Body, ColourRole colour = ColourRole::Text2,
                            TextWeight weight = TextWeight::Regular, QWidget *parent = nullptr);

    void setSentence(const SentenceText &sentence);
    const QString &text() const { return m_sentence.text; }
    void setColour(ColourRole colour);
    void setElided(bool elided);
    /// Whether the text can be selected with the mouse or Ctrl+A, and copied with Ctrl+C.
    void setSelectable(bool selectable);
    /// @returns an empty string if nothing is selected
    QString selectedText() const;

    using Place = SentenceText::Figure;
    const std::vector<Place> &places() const { return m_sentence.figures; }
    /// Area of the link with this index, or of its first line if it wraps; empty if the link is cut off.
    QRect areaOf(std::size_t place) const;

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureTarget targetAt(const QPoint &place) const override { return targetOf(placeAt(place)); }
    FigureRef currentFigure() const override;
    FigureTarget currentTarget() const override { return targetOf(m_current); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return !m_elided; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QFont sentenceFont() const;
    QString accessibleHint() const;
    void setFocusing();
    void breakLines(QTextLayout &layout, qreal width) const;
    void layOut();
    std::vector<QRectF> areasOf(const Place &place) const;
    int placeAt(const QPoint &at) const;
    /// The text position nearest to a point.
    int positionAt(const QPoint &at) const;
    void select(int anchor, int end);
    /// The target of the link with this index; empty if there is none.
    FigureTarget targetOf(int place) const;
    bool isShown(int place) const;
    void move(int step);
    void open(int place);
    void point(int place);

    SentenceText m_sentence;
    QTextLayout m_layout;
    mutable QHash<int, int> m_heights; ///< text height by width; cached because layouts repeat widths
    mutable QFont m_heightsFont;
    qsizetype m_shownLength = 0; ///< number of characters shown before the text is cut off
    int m_pointed = -1;
    int m_current = -1;
    int m_anchor = 0;
    int m_selectionEnd = 0; ///< end of the selection; may be before the anchor
    bool m_selectable = false;
    TypeRole m_type;
    ColourRole m_colour;
    TextWeight m_weight;
    bool m_elided = false;
};

} // namespace meshwright
