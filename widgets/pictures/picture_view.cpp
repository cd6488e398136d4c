// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/picture_view.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "pictures/collective_scene.h"
#include "pictures/overlap_scene.h"
#include "pictures/picture_canvas.h"
#include "pictures/split_scene.h"
#include "pictures/zero_scene.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {
namespace {

constexpr int ButtonSide = 28;
constexpr int FrameMilliseconds = 16;
/// A step is animated for this time, followed by a pause.
constexpr double MovingMilliseconds = 600;
constexpr qint64 StepMilliseconds = 1100;
constexpr qreal CaptionGap = 6;

} // namespace

std::unique_ptr<PictureScene> makeScene(const Picture &picture) {
    if (picture.name == "column-split" || picture.name == "row-split")
        return makeSplitScene(picture);
    if (picture.name == "zero")
        return makeZeroScene(picture);
    if (picture.name == "overlap")
        return makeOverlapScene(picture);
    return makeCollectiveScene(picture);
}

PictureView *makePicture(const std::string &name, const std::map<std::string, double> &parameters, QWidget *parent) {
    return new PictureView({.name = name, .parameters = parameters}, parent);
}

PictureView::PictureView(const Picture &picture, QWidget *parent)
    : QWidget(parent)
    , m_picture(complete(picture))
    , m_scene(makeScene(m_picture))
    , m_step(m_scene->firstStep())
    , m_title(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_back(addButton(QStringLiteral("chevl"), tr("Step back (Left)")))
    , m_play(addButton(QStringLiteral("play"), tr("Play (Space)")))
    , m_forward(addButton(QStringLiteral("chevr"), tr("Step (Right)")))
    , m_canvas(new PictureCanvas(this))
    , m_caption(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this)) {
    setFocusPolicy(Qt::StrongFocus);
    m_title->setElided(true);
    m_title->setTextFormat(Qt::PlainText);
    m_caption->setObjectName(QStringLiteral("pictureCaption"));
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setWordWrap(true);
    m_caption->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto *heading = new QHBoxLayout;
    heading->setSpacing(4);
    heading->addWidget(m_title, 1);
    for (QToolButton *button : {m_back, m_play, m_forward})
        heading->addWidget(button);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(int(CaptionGap));
    column->addLayout(heading);
    column->addWidget(m_canvas, 1);
    column->addWidget(m_caption);
    connect(m_back, &QToolButton::clicked, this, [this] { setStep(m_step - 1); });
    connect(m_play, &QToolButton::clicked, this, [this] { setPlaying(!m_isPlaying); });
    connect(m_forward, &QToolButton::clicked, this, &PictureView::stepForward);
    m_timer.setInterval(FrameMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &PictureView::tick);
    m_canvas->setScene(m_scene.get());
    showsNoFigures(this, NotFigures::derivation);
    m_canvas->setMoment({.step = m_step});
    showStep();
    reserveCaption();
}

PictureView::~PictureView() = default;

QToolButton *PictureView::addButton(const QString &icon, const QString &text) {
    auto *button = new QToolButton(this);
    button->setIcon(icons::icon(icon));
    button->setFixedSize(ButtonSide, ButtonSide);
    // The view itself handles the keys, so its buttons take no focus.
    button->setFocusPolicy(Qt::NoFocus);
    button->setToolTip(text);
    button->setAccessibleName(text);
    setButtonRole(button, ButtonRole::Flat);
    return button;
}

void PictureView::setPicture(const Picture &picture) {
    Picture completed = complete(picture);
    if (completed == m_picture)
        return;
    std::unique_ptr<PictureScene> scene = makeScene(completed);
    const bool keepsStep = completed.name == m_picture.name && scene->lastStep() == m_scene->lastStep()
        && scene->firstStep() == m_scene->firstStep();
    m_canvas->setScene(scene.get());
    m_scene = std::move(scene);
    m_picture = std::move(completed);
    if (!keepsStep) {
        setPlaying(false);
        moveTo(m_scene->firstStep());
    }
    m_canvas->setMoment({.step = m_step});
    showStep();
    reserveCaption();
}

int PictureView::lastStep() const {
    return m_scene->lastStep();
}

QString PictureView::title() const {
    return m_scene->title();
}

QString PictureView::sentence(int step) const {
    return m_scene->sentence(std::clamp(step, 0, lastStep()));
}

/// Shows the step at once, without animation.
void PictureView::setStep(int step) {
    setPlaying(false);
    m_timer.stop();
    moveTo(step);
    m_canvas->setMoment({.step = m_step});
}

void PictureView::moveTo(int step) {
    const int to = std::clamp(step, 0, lastStep());
    if (to == m_step)
        return;
    m_step = to;
    showStep();
    Q_EMIT stepChanged(m_step);
}

/// Animates the next step, unless the system asks for reduced motion.
void PictureView::stepForward() {
    setPlaying(false);
    if (m_step == lastStep())
        return;
    moveTo(m_step + 1);
    m_canvas->setMoment({.step = m_step, .progress = Theme::reducedMotion() ? 1.0 : 0.0});
    m_sinceStep.start();
    m_timer.start();
}

void PictureView::light(const QString &parameter) {
    m_canvas->light(parameter);
}

void PictureView::setPlaying(bool playing) {
    if (playing == m_isPlaying)
        return;
    m_isPlaying = playing;
    m_play->setIcon(icons::icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
    m_play->setToolTip(playing ? tr("Pause (Space)") : tr("Play (Space)"));
    m_play->setAccessibleName(m_play->toolTip());
    if (playing) {
        moveTo(m_step == lastStep() ? 0 : m_step + 1);
        m_canvas->setMoment({.step = m_step, .progress = Theme::reducedMotion() ? 1.0 : 0.0});
        m_sinceStep.start();
        m_timer.start();
    } else {
        m_timer.stop();
        m_canvas->setMoment({.step = m_step});
    }
    Q_EMIT playingChanged(playing);
}

void PictureView::tick() {
    const auto elapsed = double(m_sinceStep.elapsed());
    const double progress = Theme::reducedMotion() ? 1 : std::min(1.0, elapsed / MovingMilliseconds);
    if (progress != m_canvas->moment().progress)
        m_canvas->setMoment({.step = m_step, .progress = progress});
    if (!m_isPlaying && progress >= 1)
        m_timer.stop();
    if (!m_isPlaying || m_sinceStep.elapsed() < StepMilliseconds)
        return;
    if (m_step == lastStep()) {
        setPlaying(false);
        return;
    }
    moveTo(m_step + 1);
    m_canvas->setMoment({.step = m_step, .progress = Theme::reducedMotion() ? 1.0 : 0.0});
    m_sinceStep.start();
}

void PictureView::showStep() {
    setAccessibleName(m_scene->title());
    setAccessibleDescription(m_scene->sentence(m_step));
    m_title->setText(m_scene->title());
    m_caption->setText(m_scene->sentence(m_step));
    m_back->setEnabled(m_step > 0);
    m_forward->setEnabled(m_step < lastStep());
}

/// Keeps the height of the picture equal for steps with captions of different lengths.
void PictureView::reserveCaption() {
    const QFontMetrics metrics(Theme::of(this).font(TypeRole::Body));
    constexpr int high = 1000;
    int needed = 0;
    for (int step = 0; step <= lastStep(); ++step)
        needed = std::max(
            needed,
            metrics.boundingRect(QRect(0, 0, width(), high), Qt::TextWordWrap, m_scene->sentence(step)).height());
    m_caption->setFixedHeight(needed + 2);
}

void PictureView::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Space:
        setPlaying(!m_isPlaying);
        break;
    case Qt::Key_Right:
        stepForward();
        break;
    case Qt::Key_Left:
        setStep(m_step - 1);
        break;
    case Qt::Key_Home:
        setStep(0);
        break;
    case Qt::Key_End:
        setStep(lastStep());
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void PictureView::paint(QPainter &painter, const QRectF &rect, const Theme &theme) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF heading(rect.left(), rect.top(), rect.width(), Theme::lineHeight(TypeRole::Emphasis));
    painter.setFont(theme.font(TypeRole::Emphasis, TextWeight::SemiBold));
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(title(), Qt::ElideRight, rect.width()));
    const QFont body = theme.font(TypeRole::Body);
    QRectF caption =
        QFontMetricsF(body).boundingRect(QRectF(0, 0, rect.width(), rect.height()), Qt::TextWordWrap, sentence(m_step));
    caption = QRectF(rect.left(), rect.bottom() - caption.height(), rect.width(), caption.height());
    m_scene->paint(painter,
                   QRectF(rect.left(), heading.bottom() + CaptionGap, rect.width(),
                          caption.top() - heading.bottom() - 2 * CaptionGap),
                   {.step = m_step}, theme);
    painter.setFont(body);
    painter.setPen(theme.colour(ColourRole::Text2));
    painter.drawText(caption, Qt::TextWordWrap, sentence(m_step));
    painter.restore();
}

void PictureView::paintEvent(QPaintEvent *) {
    if (!showsFocusRing(this))
        return;
    QPainter painter(this);
    surfaces::focusRing(painter, m_canvas->geometry().adjusted(-3, -3, 3, 3).intersected(rect()),
                        Theme::radius(Corner::Field), Theme::of(this));
}

void PictureView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    reserveCaption();
}

void PictureView::hideEvent(QHideEvent *event) {
    setPlaying(false);
    QWidget::hideEvent(event);
}

void PictureView::focusInEvent(QFocusEvent *event) {
    QWidget::focusInEvent(event);
    update();
}

void PictureView::focusOutEvent(QFocusEvent *event) {
    QWidget::focusOutEvent(event);
    update();
}

QSize PictureView::sizeHint() const {
    return {560, 320};
}

QSize PictureView::minimumSizeHint() const {
    return {280, 220};
}

} // namespace meshwright
