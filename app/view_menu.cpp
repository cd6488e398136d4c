// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_menu.h"

#include "input/files.h"
#include "prompts.h"
#include "settings.h"
#include "theme/icon.h"
#include "view_export.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>

#include <filesystem>
#include <string_view>

namespace meshwright {

ViewMenu::ViewMenu(Settings &settings, Prompts &prompts, QWidget *window)
    : QMenu(tr("This &View"), window)
    , m_settings(settings)
    , m_prompts(prompts)
    , m_window(window) {
    addPicture();
    addSeparator();
    addTable();
    connect(this, &QMenu::aboutToShow, this, [this] {
        const bool has = m_table && !m_table().isEmpty();
        for (QAction *action : std::as_const(m_ofTable))
            action->setEnabled(has);
    });
    // Enables the actions when the menu closes, because the palette lists only enabled actions.
    connect(this, &QMenu::aboutToHide, this, [this] {
        for (QAction *action : std::as_const(m_ofTable))
            action->setEnabled(true);
    });
}

void ViewMenu::setView(std::function<QWidget *()> view, std::function<QString()> name) {
    m_view = std::move(view);
    m_name = std::move(name);
}

void ViewMenu::setTable(std::function<ViewTable()> table) {
    m_table = std::move(table);
}

QAction *ViewMenu::add(const QString &id, const QString &text, const std::function<void()> &run) {
    QAction *action = addAction(text);
    action->setObjectName(QStringLiteral("export.") + id);
    connect(action, &QAction::triggered, this, [this, run] {
        if (m_view)
            run();
    });
    return action;
}

void ViewMenu::addPicture() {
    add(QStringLiteral("picture"), tr("&Copy Picture"), [this] {
        copyPicture();
    })->setIcon(icons::icon(QStringLiteral("copy")));
    add(QStringLiteral("viewSvg"), tr("Picture as &SVG …"), [this] {
        write(QStringLiteral("svg"), tr("SVG drawing (*.svg)"), [this] { return svgOf(*m_view(), m_name()); });
    });
    for (int scale = 1; scale <= largestPictureScale; ++scale)
        add(QStringLiteral("viewPng%1").arg(scale),
            scale == 1 ? tr("Picture as &PNG …") : tr("Picture as PNG, &%1 Times as Large …").arg(scale),
            [this, scale] {
                write(QStringLiteral("png"), tr("PNG image (*.png)"),
                      [this, scale] { return pngOf(pictureOf(*m_view(), scale)); });
            });
}

void ViewMenu::addTable() {
    m_ofTable << add(QStringLiteral("copyTable"), tr("Copy &Table"), [this] { copyTable(); });
    m_ofTable << add(QStringLiteral("csv"), tr("Table as CS&V …"), [this] { writeTable(); });
}

void ViewMenu::write(const QString &suffix, const QString &filter, const std::function<QByteArray()> &content) {
    // Take the picture before the dialog opens; on some platforms the picture would include the dialog.
    const QByteArray bytes = content();
    QString name = m_name().simplified();
    name.replace(QLatin1Char('/'), QLatin1Char('-'));
    const QDir folder(m_settings.value(Setting::LastFolder).toString());
    QString path =
        m_prompts.fileToSave(m_window, tr("Export"), folder.filePath(name + QLatin1Char('.') + suffix), filter);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QLatin1Char('.') + suffix;
    try {
        write_file_atomically(std::filesystem::path(path.toStdString()),
                              std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    } catch (const std::exception &error) {
        Q_EMIT noticed(Tone::Bad, QString::fromUtf8(error.what()));
        return;
    }
    m_settings.set(Setting::LastFolder, QFileInfo(path).absolutePath());
    Q_EMIT written(path);
}

void ViewMenu::copyPicture() {
    QGuiApplication::clipboard()->setImage(pictureOf(*m_view(), 1));
    Q_EMIT noticed(Tone::Good, tr("Picture copied."));
}

ViewTable ViewMenu::table() {
    ViewTable table = m_table ? m_table() : ViewTable();
    if (table.isEmpty())
        Q_EMIT noticed(Tone::Warn, tr("This view has no table to export."));
    return table;
}

void ViewMenu::copyTable() {
    const ViewTable shown = table();
    if (shown.isEmpty())
        return;
    auto *copied = new QMimeData;
    copied->setText(tabbedText(shown));
    copied->setData(QStringLiteral("text/csv"), csvOf(shown));
    QGuiApplication::clipboard()->setMimeData(copied);
    Q_EMIT noticed(Tone::Good, tr("Table copied."));
}

void ViewMenu::writeTable() {
    const ViewTable shown = table();
    if (!shown.isEmpty())
        write(QStringLiteral("csv"), tr("Table (*.csv)"), [&shown] { return csvOf(shown); });
}

} // namespace meshwright
