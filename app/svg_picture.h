// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBuffer>
#include <QByteArray>
#include <QPaintDevice>
#include <QPainter>
#include <QSvgGenerator>

#include <memory>

namespace meshwright {

/// A paint device that writes SVG. Unlike QSvgGenerator it applies clipping; without clipping,
/// widgets in scroll areas would be drawn over their neighbors.
class SvgPicture : public QPaintDevice {
public:
    SvgPicture(const QSize &size, const QString &title);
    ~SvgPicture() override;

    QPaintEngine *paintEngine() const override;
    QByteArray finish();

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;

    QSize m_size;
    QBuffer m_buffer;
    QSvgGenerator m_generator;
    QPainter m_out;
    std::unique_ptr<Engine> m_engine;
};

} // namespace meshwright
