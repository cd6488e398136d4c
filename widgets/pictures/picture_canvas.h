// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "pictures/picture_scene.h"

#include <QWidget>

namespace meshwright {

/// Paints one frame of a scene and describes the object under the pointer.
class PictureCanvas : public QWidget {
    Q_OBJECT

public:
    explicit PictureCanvas(QWidget *parent = nullptr);

    /// @param scene  must live until another scene replaces it or the canvas is destroyed
    void setScene(const PictureScene *scene);
    void setMoment(const PictureMoment &moment);
    const PictureMoment &moment() const { return m_moment; }
    /// Outlines what a parameter of the picture stands for; nothing if empty.
    void light(const QString &parameter);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void describe();

    const PictureScene *m_scene = nullptr;
    PictureMoment m_moment;
    QString m_lit;
    QPoint m_pointer;
    HoverCardSlot m_card;
};

} // namespace meshwright
