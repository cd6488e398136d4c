// SPDX-License-Identifier: GPL-3.0-or-later
#include "preset_menu.h"

#include "catalog/own_presets.h"

#include <nlohmann/json.hpp>

#include <map>
#include <vector>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

enum class Group { severalSites, designs, mixtures, dense };

bool mentionsSites(const ordered_json &plan) {
    const auto outer = plan.find("outer");
    return outer != plan.end() && outer->is_object() && outer->value("method", std::string("none")) != "none";
}

bool usesExperts(const ordered_json &plan) {
    const auto parallelism = plan.find("parallelism");
    return parallelism != plan.end() && parallelism->is_object() && parallelism->value("expert", 1) > 1;
}

Group groupOf(const Library &library, const PresetEntry &entry) {
    try {
        const ordered_json &plan = library.json(PresetKind::plan, entry.id);
        if (mentionsSites(plan))
            return Group::severalSites;
        if (entry.id.starts_with("pretrain-"))
            return Group::designs;
        return usesExperts(plan) ? Group::mixtures : Group::dense;
    } catch (const std::exception &) {
        return Group::dense; // an invalid preset reports its errors when it is chosen
    }
}

QString titleOf(Group group) {
    switch (group) {
    case Group::severalSites:
        return PresetMenu::tr("Across several &sites");
    case Group::designs:
        return PresetMenu::tr("&First plans");
    case Group::mixtures:
        return PresetMenu::tr("&Mixture-of-experts models");
    case Group::dense:
        break;
    }
    return PresetMenu::tr("&Dense models");
}

} // namespace

PresetMenu::PresetMenu(const Library &library, QWidget *parent)
    : QMenu(tr("P&resets"), parent)
    , m_library(library) {
    connect(this, &QMenu::aboutToShow, this, &PresetMenu::fill);
}

void PresetMenu::fill() {
    if (!isEmpty())
        return;
    std::map<Group, std::vector<const PresetEntry *>> groups;
    for (const PresetEntry &entry : m_library.entries()) {
        if (entry.kind == PresetKind::plan && entry.evaluable)
            groups[groupOf(m_library, entry)].push_back(&entry);
    }
    for (const auto &[group, entries] : groups) {
        QMenu *menu = addMenu(titleOf(group));
        for (const PresetEntry *entry : entries) {
            const QString id = QString::fromStdString(entry->id);
            connect(addEntry(menu, QString::fromStdString(listed_name(*entry, m_library)), id), &QAction::triggered,
                    this, [this, id] { Q_EMIT chosen(id); });
        }
    }
    QMenu *cards = nullptr;
    for (const PresetEntry &entry : m_library.entries()) {
        if (entry.kind != PresetKind::plan || entry.evaluable)
            continue;
        if (cards == nullptr)
            cards = addMenu(tr("&Insufficient data"));
        const QString id = QString::fromStdString(entry.id);
        connect(addEntry(cards, QString::fromStdString(listed_name(entry, m_library)), id), &QAction::triggered, this,
                [this, id] { Q_EMIT cardChosen(id); });
    }
}

QAction *PresetMenu::addEntry(QMenu *menu, const QString &name, const QString &id) const {
    QString escaped = name;
    escaped.replace(QLatin1Char('&'), QStringLiteral("&&"));
    QAction *action = menu->addAction(escaped);
    action->setObjectName(id);
    return action;
}

} // namespace meshwright
