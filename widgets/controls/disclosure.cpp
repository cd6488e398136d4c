// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/disclosure.h"

#include "theme/icon.h"
#include "theme/surfaces.h"

#include <QPainter>
#include <QVBoxLayout>

namespace meshwright {

namespace {

class DisclosureButton : public QAbstractButton {
public:
    DisclosureButton(const QString &title, QWidget *parent)
        : QAbstractButton(parent) {
        setText(title);
        setAccessibleName(title);
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override { return {120, 20}; }

protected:
    void paintEvent(QPaintEvent *) override {
        const Theme &theme = Theme::of(this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor ink = theme.colour(underMouse() ? ColourRole::Text : ColourRole::Text2);
        icons::paint(painter, QRectF(-2, (height() - 14) / 2.0, 14, 14),
                     isChecked() ? QStringLiteral("chev") : QStringLiteral("chevr"), ink);
        painter.setFont(theme.font(TypeRole::Body));
        painter.setPen(ink);
        painter.drawText(rect().adjusted(16, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
        if (showsFocusRing(this))
            surfaces::focusRing(painter, QRectF(rect()), Theme::radius(Corner::Field), theme);
    }
};

} // namespace

Disclosure::Disclosure(const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_button(new DisclosureButton(title, this))
    , m_body(new QWidget(this))
    , m_content(new QVBoxLayout(m_body)) {
    m_content->setContentsMargins(0, 8, 0, 0);
    m_content->setSpacing(8);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_button);
    column->addWidget(m_body);
    m_body->hide();
    connect(m_button, &QAbstractButton::toggled, this, [this](bool open) {
        m_body->setVisible(open);
        if (open)
            Q_EMIT opened();
    });
}

} // namespace meshwright
