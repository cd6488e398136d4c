// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace meshwright {

class Library;

/// Menu of plan presets in groups. Filled on first opening, because at startup the program reads only the preset it
/// shows.
class PresetMenu : public QMenu {
    Q_OBJECT

public:
    explicit PresetMenu(const Library &library, QWidget *parent = nullptr);

    void fill();

Q_SIGNALS:
    void chosen(const QString &id);
    /// Emitted when a card is chosen: a run about which too little has been published to evaluate it.
    void cardChosen(const QString &id);

private:
    QAction *addEntry(QMenu *menu, const QString &name, const QString &id) const;

    const Library &m_library;
};

} // namespace meshwright
