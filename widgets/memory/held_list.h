// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace meshwright {

/// Something that stands in memory.
struct HeldEntry {
    QString name;
    double bytes = 0;
    Kind kind = Kind::Grey;
    bool operator==(const HeldEntry &) const = default;
};

/// Names with their bytes under one another, each over a bar as long as its share of the largest. Long names shorten
/// with an ellipsis; pointing at one says all of it.
class HeldList : public QWidget {
    Q_OBJECT

public:
    explicit HeldList(QWidget *parent = nullptr);

    void setEntries(const std::vector<HeldEntry> &entries);
    const std::vector<HeldEntry> &entries() const { return m_entries; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    static constexpr int RowHeight = 24;

    std::vector<HeldEntry> m_entries;
};

} // namespace meshwright
