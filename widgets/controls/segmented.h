// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QString>
#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace meshwright {

/// A few exclusive choices side by side, up to about five (use a combo box for more). Tab focuses the current segment;
/// the arrow keys choose another.
class Segmented : public QWidget {
    Q_OBJECT

public:
    explicit Segmented(QWidget *parent = nullptr);

    /// Returns the index of the new segment. The first one added becomes current.
    int addSegment(const QString &text, const QString &toolTip = {});
    /// Removes all segments without emitting signals.
    void clear();
    int count() const;
    int currentIndex() const;
    QString textOf(int index) const;
    void setSegmentEnabled(int index, bool enabled);
    QAbstractButton *button(int index) const;

public Q_SLOTS:
    /// Does not emit chosen().
    void setCurrentIndex(int index);

Q_SIGNALS:
    /// The current segment has changed, by the user or by the program.
    void currentChanged(int index);
    /// The user has chosen a segment by mouse or key.
    void chosen(int index);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QButtonGroup *m_group;
    QHBoxLayout *m_layout;
    bool m_silent = false;
};

} // namespace meshwright
