// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

#include <vector>

namespace meshwright {

/// Pages in a vertical column, each drawn as a sheet with a border.
class PagePreview : public QWidget {
    Q_OBJECT

public:
    explicit PagePreview(QWidget *parent = nullptr);

    /// @param pages pages of equal size, with the widget's device pixel ratio
    void setPages(std::vector<QImage> pages);
    const std::vector<QImage> &pages() const { return m_pages; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::vector<QImage> m_pages;
};

} // namespace meshwright
