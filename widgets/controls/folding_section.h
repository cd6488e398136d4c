// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "theme/roles.h"

#include <QAbstractButton>
#include <QWidget>

class QVBoxLayout;

namespace meshwright {

/// The header line that folds a section: icon, title, a short summary at the right, and a chevron if folded or hovered.
/// If the summary is a figure, a press on it or F1 opens its derivation instead.
class SectionHeader : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    explicit SectionHeader(QWidget *parent = nullptr);

    void setIconName(const QString &name);
    /// @param figure  figure in the summary; empty if the summary shows a setting
    void setSummary(const QString &text, Tone tone, const FigureRef &figure);
    void setFolded(bool folded);

    QList<FigureRef> figures() const override {
        return m_figure.isEmpty() ? QList<FigureRef>() : QList<FigureRef>{m_figure};
    }
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override { return m_figure; }
    bool isScaleAt(const QPoint &) const override { return m_figure.isEmpty(); }

    QSize sizeHint() const override { return {200, 36}; }
    QSize minimumSizeHint() const override { return {120, 36}; }

Q_SIGNALS:
    /// The left arrow key was pressed to fold, or the right one to unfold.
    void foldAsked(bool folded);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    void describe();
    QRectF summaryArea() const;
    bool hasChevron() const;

    QString m_iconName;
    QString m_summary;
    FigureRef m_figure;
    Tone m_tone = Tone::Neutral;
    bool m_folded = false;
};

/// A part of a dock that folds to one line. Needs an objectName: after each foldedChanged(), the settings store
/// folded() under this name.
class FoldingSection : public QWidget {
    Q_OBJECT

public:
    explicit FoldingSection(const QString &title = {}, const QString &iconName = {}, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    /// Sets a short summary of the content, visible also when folded.
    /// @param figure  figure in the summary; empty if there is none
    void setSummary(const QString &text, Tone tone = Tone::Neutral, const FigureRef &figure = {});
    bool isFolded() const { return m_folded; }
    /// Layout of the content: a column with margins of 16 pixels and a spacing of 8.
    QVBoxLayout *contentLayout() const { return m_content; }
    SectionHeader *header() const { return m_header; }

public Q_SLOTS:
    void setFolded(bool folded);

Q_SIGNALS:
    void foldedChanged(bool folded);

private:
    SectionHeader *m_header;
    QWidget *m_body;
    QVBoxLayout *m_content;
    bool m_folded = false;
};

} // namespace meshwright
