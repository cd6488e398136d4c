// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_model.h"

#include <QWidget>

namespace meshwright {

/// One-line legend of the colors, letters and hatches of a timeline. Entries that do not fit are dropped from the end.
/// A hint about mouse and keyboard is on the right.
class TimelineLegend : public QWidget {
    Q_OBJECT

public:
    explicit TimelineLegend(QWidget *parent = nullptr);

    /// Shows the styles that occur in any track. All models must have the same styles.
    void setModels(const std::vector<TimelineModelPointer> &models);
    void setCriticalShown(bool shown);
    /// Adds an entry for the shades of a block's color, one per chunk, unless there is only one chunk.
    /// @param word  what the chunks are called
    void setChunks(int chunks, const QString &word);
    void setHint(const QString &hint);

    QSize sizeHint() const override { return {320, 20}; }
    QSize minimumSizeHint() const override { return {120, 20}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    TimelineModelPointer m_model;
    std::vector<std::size_t> m_styles;
    bool m_critical = false;
    int m_chunks = 1;
    QString m_chunkWord;
    QString m_hint;
};

} // namespace meshwright
