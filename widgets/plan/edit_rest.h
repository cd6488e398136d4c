// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

namespace meshwright {

/// Whether edits follow one another: from the first one until a second after the last, and while a mouse button is
/// down. What is looked at meanwhile is to stay in its place.
class EditRest : public QObject {
    Q_OBJECT

public:
    static constexpr int After = 1000; ///< milliseconds

    explicit EditRest(QObject *parent = nullptr);

    /// An edit has been made.
    void edited();
    /// Other things are looked at: nothing is held any longer.
    void end();
    bool isEditing() const { return m_editing; }

Q_SIGNALS:
    void editingChanged(bool editing);

private:
    void set(bool editing);

    QTimer m_timer;
    bool m_editing = false;
};

} // namespace meshwright
