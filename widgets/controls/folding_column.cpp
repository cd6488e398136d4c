// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/folding_column.h"

#include "controls/folding_section.h"
#include "theme/theme.h"

#include <QPainter>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

FoldingColumn::FoldingColumn(const QStringList &openingOrder, QWidget *parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
    , m_openingOrder(openingOrder) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
}

FoldingSection *FoldingColumn::addSection(const QString &name, const QString &title, const QString &icon) {
    auto *added = new FoldingSection(title, icon, this);
    added->setObjectName(name);
    m_column->addWidget(added);
    m_sections.push_back(added);
    connect(added, &FoldingSection::foldedChanged, this, [this, name](bool folded) {
        if (m_foldingItself)
            return;
        m_byHand.insert(name, folded);
        Q_EMIT foldedByHandChanged();
    });
    return added;
}

FoldingSection *FoldingColumn::section(const QString &name) const {
    const auto found = std::find_if(m_sections.begin(), m_sections.end(),
                                    [&](const FoldingSection *each) { return each->objectName() == name; });
    return found == m_sections.end() ? nullptr : *found;
}

void FoldingColumn::setFoldedByHand(const QVariantMap &folded) {
    const QScopedValueRollback guard(m_foldingItself, true);
    m_byHand = folded;
    for (FoldingSection *each : m_sections)
        each->setFolded(m_byHand.value(each->objectName(), false).toBool());
}

void FoldingColumn::foldToHeight(int height) {
    const QScopedValueRollback guard(m_foldingItself, true);
    int left = height;
    for (const FoldingSection *each : m_sections)
        left -= each->isHidden() ? 0 : each->header()->sizeHint().height() + 1;
    bool first = true;
    for (const QString &name : std::as_const(m_openingOrder)) {
        FoldingSection *each = section(name);
        if (each == nullptr || each->isHidden())
            continue;
        const int body = each->contentLayout()->totalSizeHint().height();
        const QVariant chosen = m_byHand.value(name);
        const bool folded = chosen.isValid() ? chosen.toBool() : !first && body > left;
        first = false;
        each->setFolded(folded);
        if (!folded)
            left -= body;
    }
}

void FoldingColumn::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::of(this).colour(ColourRole::Panel));
}

} // namespace meshwright
