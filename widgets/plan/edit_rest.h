// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

namespace meshwright {

/// Signals the beginning and the end of a series of edits. A series ends one second after the last edit, but not while
/// a mouse button is down. During a series, the page must not move its content.
class EditRest : public QObject {
    Q_OBJECT

public:
    static constexpr int After = 1000; ///< pause after an edit in milliseconds

    explicit EditRest(QObject *parent = nullptr);

    void edited();
    /// Ends the series at once, because the user is looking at something else.
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
