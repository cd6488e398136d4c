// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pictures/picture.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <memory>

class QPainter;
class QToolButton;

namespace meshwright {

class PictureCanvas;
class PictureScene;
class TextLabel;
class Theme;

/// An animated picture with its title, buttons to play and step, and a caption for the current step. Space plays or
/// pauses, Left and Right step, Home and End go to the first and last step.
class PictureView : public QWidget {
    Q_OBJECT

public:
    /// @throws InputError under the same conditions as setPicture()
    explicit PictureView(const Picture &picture, QWidget *parent = nullptr);
    ~PictureView() override;

    /// Shows another picture, or the same one with other values. The current step stays if both have the same number of
    /// steps.
    /// @throws InputError in one line for an unknown name or a parameter out of range; nothing changes then
    void setPicture(const Picture &picture);
    const Picture &picture() const { return m_picture; }

    /// Current step, from 0 (the start) to lastStep().
    int step() const { return m_step; }
    int lastStep() const;
    void setStep(int step);
    bool isPlaying() const { return m_isPlaying; }
    void setPlaying(bool playing);
    /// Outlines what a parameter of the picture stands for; nothing if empty.
    void light(const QString &parameter);
    QString title() const;
    QString sentence(int step) const;

    /// Paints the current step with its title and caption as vectors.
    void paint(QPainter &painter, const QRectF &rect, const Theme &theme) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stepChanged(int step);
    void playingChanged(bool playing);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    QToolButton *addButton(const QString &icon, const QString &text);
    void moveTo(int step);
    void stepForward();
    void tick();
    void showStep();
    void reserveCaption();

    Picture m_picture;
    std::unique_ptr<PictureScene> m_scene;
    int m_step = 0;
    bool m_isPlaying = false;
    QTimer m_timer;
    QElapsedTimer m_sinceStep;
    TextLabel *m_title;
    QToolButton *m_back;
    QToolButton *m_play;
    QToolButton *m_forward;
    PictureCanvas *m_canvas;
    TextLabel *m_caption;
};

/// Creates a view of the named picture. Omitted parameters have defaults.
/// @throws InputError in one line for an unknown name or parameter, or a value out of range
PictureView *makePicture(const std::string &name, const std::map<std::string, double> &parameters = {},
                         QWidget *parent = nullptr);

} // namespace meshwright
