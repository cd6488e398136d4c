// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace meshwright {

class Library;

/// The library's plans in groups. Filled when first opened, so that starting reads no presets but the one shown.
class PresetMenu : public QMenu {
    Q_OBJECT

public:
    explicit PresetMenu(const Library &library, QWidget *parent = nullptr);

    /// Fills it if it is not filled yet.
    void fill();

Q_SIGNALS:
    void chosen(const QString &id);
    /// A run whose makers disclosed too little to evaluate it.
    void cardChosen(const QString &id);

private:
    QAction *addEntry(QMenu *menu, const QString &name, const QString &id) const;

    const Library &m_library;
};

} // namespace meshwright
