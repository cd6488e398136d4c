// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/minimal_changes_strip.h"

#include "controls/small_marks.h"
#include "figures/figure_sentence.h"
#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace meshwright {

MinimalChangesStrip::MinimalChangesStrip(QWidget *parent)
    : QWidget(parent)
    , m_words(new FigureSentence(TypeRole::Body, ColourRole::Text, TextWeight::Regular, this))
    , m_apply(new QPushButton(tr("Apply"), this))
    , m_details(new QPushButton(tr("Details"), this)) {
    setObjectName(QStringLiteral("leastChangesStrip"));
    m_words->setElided(true);
    m_words->setObjectName(QStringLiteral("leastChangesLine"));
    m_apply->setObjectName(QStringLiteral("applyLeastChangesLine"));
    m_apply->setAccessibleName(tr("Apply the minimal changes that meet the deadline"));
    m_details->setAccessibleName(tr("Show the minimal changes that meet the deadline"));
    m_details->setToolTip(tr("Change the deadline and compare the figures before and after"));
    setButtonRole(m_apply, ButtonRole::Primary);
    setButtonRole(m_details, ButtonRole::Flat);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(new IconLabel(QStringLiteral("bolt"), ColourRole::Text2, 16, this));
    row->addWidget(m_words, 1, Qt::AlignVCenter);
    row->addWidget(m_apply);
    row->addWidget(m_details);
    QSizePolicy keeps = m_apply->sizePolicy();
    keeps.setRetainSizeWhenHidden(true);
    m_apply->setSizePolicy(keeps);
    connect(m_apply, &QPushButton::clicked, this, &MinimalChangesStrip::applyWanted);
    connect(m_details, &QPushButton::clicked, this, &MinimalChangesStrip::detailsWanted);
}

void MinimalChangesStrip::say(const SentenceText &words, bool applies) {
    m_words->setSentence(words);
    m_apply->setVisible(applies);
}

QString MinimalChangesStrip::text() const {
    return m_words->text();
}

void MinimalChangesStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card), Theme::of(this).colour(ColourRole::Card));
}

} // namespace meshwright
