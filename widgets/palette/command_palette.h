// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "palette/palette_model.h"

#include <QPointer>
#include <QWidget>

class QLineEdit;
class QListView;
class QScrollArea;

namespace meshwright {

class TextLabel;

/// Finds formulas, views, plans, fields and actions by a few typed letters. Covers and dims the window. The arrow keys
/// select, Tab moves to the selected item's preview, Enter runs the item, Esc or a click outside closes the palette.
class CommandPalette : public QWidget {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget *window);

    void open(const QVector<PaletteItem> &items);
    PaletteModel *model() const { return m_model; }
    QLineEdit *field() const { return m_field; }
    /// Closes the palette, then runs the selected item.
    void runChosen();
    /// Preview of the selected item, next to the list; null if it has none.
    QWidget *preview() const { return m_preview; }
    void close();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void find(const QString &typed);
    void choose(int row);
    void place();
    bool takeKey(int key);
    void showPreview();
    void clearPreview();

    PaletteModel *m_model;
    QWidget *m_sheet;
    QLineEdit *m_field;
    TextLabel *m_count;
    QListView *m_list;
    TextLabel *m_nothing;
    QScrollArea *m_previewArea;
    QPointer<QWidget> m_preview;
    QString m_previewed; ///< group and title of the previewed item
    QPointer<QWidget> m_before; ///< widget that had the focus before the palette opened
};

} // namespace meshwright
