// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/notice_strip.h"

#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "theme/surfaces.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace meshwright {

namespace {

struct Look {
    QString icon;
    ColourRole colour;
};

Look lookOf(Tone tone) {
    switch (tone) {
    case Tone::Good:
        return {QStringLiteral("bolt"), ColourRole::Good};
    case Tone::Warn:
        return {QStringLiteral("warn"), ColourRole::Warn};
    case Tone::Bad:
        return {QStringLiteral("err"), ColourRole::Bad};
    case Tone::Accent:
        return {QStringLiteral("info"), ColourRole::Accent};
    case Tone::Neutral:
        break;
    }
    return {QStringLiteral("info"), ColourRole::Text2};
}

} // namespace

NoticeStrip::NoticeStrip(QWidget *parent)
    : QWidget(parent)
    , m_icon(new IconLabel(QStringLiteral("info"), ColourRole::Text2, 16, this))
    , m_text(new TextLabel({}, TypeRole::Body, ColourRole::Text, TextWeight::Medium, this))
    , m_action(new QPushButton(tr("Apply"), this))
    , m_dismiss(new QPushButton(tr("Dismiss"), this)) {
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_action->setObjectName(QStringLiteral("noticeAction"));
    m_dismiss->setObjectName(QStringLiteral("noticeDismiss"));
    setButtonRole(m_action, ButtonRole::Primary);
    setButtonRole(m_dismiss, ButtonRole::Flat);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 8, 8);
    row->setSpacing(8);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_action);
    row->addWidget(m_dismiss);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT accepted();
    });
    connect(m_dismiss, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT dismissed();
    });
    m_gone.setSingleShot(true);
    m_gone.setInterval(PassingMilliseconds);
    connect(&m_gone, &QTimer::timeout, this, &QWidget::hide);
    hide();
}

void NoticeStrip::announce(Tone tone, const QString &text, const QString &action, const QString &dismiss) {
    clearPassing();
    say(tone, text, action, dismiss);
}

void NoticeStrip::announcePassing(Tone tone, const QString &text, const QVector<NoticeAction> &actions) {
    clearPassing();
    auto *row = static_cast<QHBoxLayout *>(layout());
    for (const NoticeAction &action : actions) {
        auto *button = new QPushButton(action.text, this);
        setButtonRole(button, ButtonRole::Flat);
        connect(button, &QPushButton::clicked, this, action.run);
        row->insertWidget(row->indexOf(m_action), button);
        button->show();
        m_passing.append(button);
    }
    say(tone, text, {}, tr("Dismiss"));
    m_gone.start();
}

void NoticeStrip::leave() {
    if (m_gone.isActive())
        hide();
}

void NoticeStrip::clearPassing() {
    m_gone.stop();
    for (QPushButton *button : std::as_const(m_passing)) {
        button->hide();
        button->deleteLater(); // this code may run in a slot of the button itself
    }
    m_passing.clear();
}

void NoticeStrip::say(Tone tone, const QString &text, const QString &action, const QString &dismiss) {
    m_tone = tone;
    m_icon->setIconName(lookOf(tone).icon);
    m_icon->setColour(lookOf(tone).colour);
    m_text->setText(text);
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    m_dismiss->setText(dismiss);
    m_dismiss->setVisible(!dismiss.isEmpty());
    setAccessibleName(text);
    update();
    show();
}

QString NoticeStrip::text() const {
    return m_text->text();
}

void NoticeStrip::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card), theme.softFill(m_tone));
}

} // namespace meshwright
