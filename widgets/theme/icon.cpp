// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/icon.h"

#include "theme/theme.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>
#include <memory>
#include <optional>

namespace meshwright::icons {
namespace {

QString pathOf(const QString &name) {
    return QStringLiteral(":/meshwright/icons/%1.svg").arg(name);
}

QSvgRenderer *renderer(const QString &name, const QColor &colour) {
    // One cache per thread: reports are painted on another thread, and a renderer is not thread-safe.
    thread_local QHash<QString, std::shared_ptr<QSvgRenderer>> cache;
    const QString key = name + colour.name(QColor::HexRgb);
    if (const auto found = cache.constFind(key); found != cache.constEnd())
        return found->get();
    QFile file(pathOf(name));
    if (!file.open(QIODevice::ReadOnly))
        return nullptr;
    // Normally few icons are used in few colors; the limit guards against a theme editor that tries many.
    if (cache.size() > 1000)
        cache.clear();
    const QByteArray tinted = file.readAll().replace("currentColor", colour.name(QColor::HexRgb).toLatin1());
    return cache.insert(key, std::make_shared<QSvgRenderer>(tinted))->get();
}

class TintedIconEngine : public QIconEngine {
public:
    TintedIconEngine(const QString &name, std::optional<ColourRole> role)
        : m_name(name)
        , m_role(role) { }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override {
        icons::paint(*painter, rect, m_name, colour(mode, state));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal) override {
        return icons::pixmap(m_name, colour(mode, state), std::min(size.width(), size.height()), 1.0);
    }

    QIconEngine *clone() const override { return new TintedIconEngine(m_name, m_role); }
    QString key() const override { return QStringLiteral("meshwright-tinted"); }
    QString iconName() override { return m_name; }
    bool isNull() override { return false; }
    QSize actualSize(const QSize &size, QIcon::Mode, QIcon::State) override { return size; }

private:
    QColor colour(QIcon::Mode mode, QIcon::State state) const {
        const Theme &theme = Theme::current();
        if (mode == QIcon::Disabled)
            return mixed(theme.colour(ColourRole::Text3), theme.colour(ColourRole::Panel), 0.4);
        if (m_role)
            return theme.colour(*m_role);
        if (state == QIcon::On || mode == QIcon::Selected)
            return theme.colour(ColourRole::Accent);
        return theme.colour(mode == QIcon::Active ? ColourRole::Text : ColourRole::Text2);
    }

    QString m_name;
    std::optional<ColourRole> m_role;
};

} // namespace

bool exists(const QString &name) {
    return QFile::exists(pathOf(name));
}

QStringList names() {
    QStringList found = QDir(QStringLiteral(":/meshwright/icons")).entryList({QStringLiteral("*.svg")});
    for (QString &name : found)
        name.chop(4);
    return found;
}

QIcon icon(const QString &name) {
    return exists(name) ? QIcon(new TintedIconEngine(name, std::nullopt)) : QIcon();
}

QIcon icon(const QString &name, ColourRole role) {
    return exists(name) ? QIcon(new TintedIconEngine(name, role)) : QIcon();
}

void paint(QPainter &painter, const QRectF &rect, const QString &name, const QColor &colour) {
    if (QSvgRenderer *svg = renderer(name, colour)) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setOpacity(painter.opacity() * colour.alphaF());
        const qreal side = std::min(rect.width(), rect.height());
        svg->render(&painter, QRectF(rect.center() - QPointF(side, side) / 2, QSizeF(side, side)));
        painter.restore();
    }
}

QPixmap pixmap(const QString &name, const QColor &colour, int size, qreal devicePixelRatio) {
    const int pixels = int(std::lround(size * devicePixelRatio));
    const QString key =
        QStringLiteral("meshwright/%1/%2/%3/%4")
            .arg(name, colour.name(QColor::HexArgb), QString::number(pixels), QString::number(devicePixelRatio));
    QPixmap result;
    if (QPixmapCache::find(key, &result))
        return result;
    result = QPixmap(pixels, pixels);
    result.fill(Qt::transparent);
    QPainter painter(&result);
    paint(painter, QRectF(0, 0, pixels, pixels), name, colour);
    painter.end();
    result.setDevicePixelRatio(devicePixelRatio);
    QPixmapCache::insert(key, result);
    return result;
}

} // namespace meshwright::icons
