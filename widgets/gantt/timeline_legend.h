// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_model.h"

#include <QWidget>

namespace meshwright {

/// What the colours, letters and hatches of a timeline mean, in one line; what has no room is left out from the end.
/// At the right stands what the pointer can do.
class TimelineLegend : public QWidget {
    Q_OBJECT

public:
    explicit TimelineLegend(QWidget *parent = nullptr);

    /// Of models with the same styles, those that any of their tracks shows.
    void setModels(const std::vector<TimelineModelPointer> &models);
    void setCriticalShown(bool shown);
    /// How many shades a block's colour comes in; 1 for none.
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
