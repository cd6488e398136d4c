// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace meshwright {

/// Markdown of a lesson, as tall as its content. Lessons are untrusted: HTML is shown as text, no resource is loaded,
/// and only glossary links open. The first mention of each glossary term is such a link.
class LessonText : public QTextBrowser {
    Q_OBJECT

public:
    explicit LessonText(QWidget *parent = nullptr);

    void setText(const QString &markdown);
    const QString &markdown() const { return m_markdown; }
    /// Scales the font sizes, for presentations.
    void setScale(qreal scale);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    QVariant loadResource(int type, const QUrl &name) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void showText();
    void fitHeight();

    QString m_markdown;
    qreal m_scale = 1;
};

} // namespace meshwright
