// SPDX-License-Identifier: GPL-3.0-or-later
#include "recent_files.h"

#include "settings.h"

#include <QFileInfo>
#include <QMenu>

namespace meshwright {

RecentFiles::RecentFiles(Settings &settings, QObject *parent)
    : QObject(parent)
    , m_settings(settings) { }

QStringList RecentFiles::files() const {
    return m_settings.value(Setting::RecentFiles).toStringList();
}

void RecentFiles::add(const QString &path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    QStringList list = files();
    list.removeAll(whole);
    list.prepend(whole);
    m_settings.set(Setting::RecentFiles, QStringList(list.mid(0, Most)));
}

void RecentFiles::forget(const QString &path) {
    QStringList list = files();
    list.removeAll(QFileInfo(path).absoluteFilePath());
    m_settings.set(Setting::RecentFiles, list);
}

void RecentFiles::attach(QMenu *menu) {
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fill(menu); });
}

void RecentFiles::fill(QMenu *menu) {
    menu->clear();
    const QStringList list = files();
    for (qsizetype i = 0; i < list.size(); ++i) {
        const QString &path = list.at(i);
        QString label = QFileInfo(path).fileName();
        label.replace(QLatin1Char('&'), QStringLiteral("&&"));
        QAction *action = menu->addAction(i < 9 ? QStringLiteral("&%1  %2").arg(i + 1).arg(label) : label);
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT chosen(path); });
    }
    if (list.isEmpty()) {
        menu->addAction(tr("No recent files"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    connect(menu->addAction(tr("&Clear List")), &QAction::triggered, this,
            [this] { m_settings.remove(Setting::RecentFiles); });
}

} // namespace meshwright
