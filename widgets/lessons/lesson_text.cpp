// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_text.h"

#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "glossary/glossary.h"
#include "guide/term_links.h"
#include "theme/text_tables.h"
#include "theme/theme.h"

#include <QFontDatabase>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextList>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int lineHeight = 140; ///< percent of the font's own line height
constexpr QLatin1String termScheme("term:");

bool isCode(const QTextBlock &block) {
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)
        || block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

} // namespace

LessonText::LessonText(QWidget *parent)
    : QTextBrowser(parent) {
    setAccessibleName(tr("Lesson text"));
    setOpenLinks(false);
    setOpenExternalLinks(false);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextInteractionFlags(Qt::TextBrowserInteraction);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    setAutoFillBackground(false);
    document()->setDocumentMargin(0);
    showsNoFigures(this, NotFigures::setting); // the numbers belong to a question and have no derivation
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &target) {
        const QString link = target.toString();
        if (link.startsWith(termScheme))
            wantFigure(this, TermRef(link.mid(termScheme.size())), cursorRect());
    });
    connect(Theme::notifier(), &ThemeNotifier::changed, this, [this] { showText(); });
}

void LessonText::setText(const QString &markdown) {
    if (markdown == m_markdown)
        return;
    m_markdown = markdown;
    showText();
}

void LessonText::setScale(qreal scale) {
    m_scale = scale;
    showText();
}

QVariant LessonText::loadResource(int, const QUrl &) {
    return {};
}

void LessonText::showText() {
    const Theme &theme = Theme::of(this);
    QPalette colours = theme.palette();
    colours.setColor(QPalette::Base, Qt::transparent);
    colours.setColor(QPalette::Text, theme.colour(ColourRole::Text));
    setPalette(colours);
    QFont font = theme.font(TypeRole::Emphasis);
    font.setPixelSize(qRound(font.pixelSize() * m_scale));
    document()->setDefaultFont(font);
    const std::string linked =
        m_markdown.isEmpty() ? "" : with_term_links(m_markdown.toStdString(), Glossary::standard());
    document()->setMarkdown(QString::fromStdString(linked),
                            QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub)
                                | QTextDocument::MarkdownNoHTML);
    const QString monospaced = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        cursor.setPosition(block.position());
        QTextBlockFormat format = block.blockFormat();
        format.setLineHeight(isCode(block) ? 110 : lineHeight, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(0);
        const bool isTight = cursor.currentTable() != nullptr || (isCode(block) && isCode(block.next()));
        format.setBottomMargin(isTight || !block.next().isValid() ? 0 : 8);
        if (isCode(block))
            format.setBackground(theme.colour(ColourRole::Raised));
        cursor.setBlockFormat(format);
        struct Piece {
            int begin;
            int length;
            QTextCharFormat format;
        };
        QVector<Piece> pieces;
        for (QTextBlock::iterator at = block.begin(); !at.atEnd(); ++at) {
            const QTextCharFormat old = at.fragment().charFormat();
            QTextCharFormat piece;
            if (old.isAnchor()) {
                const bool isTerm = old.anchorHref().startsWith(termScheme);
                piece.setAnchor(isTerm);
                piece.setForeground(theme.colour(ColourRole::Text));
                piece.setUnderlineStyle(isTerm ? QTextCharFormat::DotLine : QTextCharFormat::NoUnderline);
                piece.setUnderlineColor(theme.colour(ColourRole::Text3));
            } else if (old.fontFixedPitch() || isCode(block)) {
                piece.setFontFamilies({monospaced});
                piece.setProperty(QTextFormat::FontPixelSize, qRound(12 * m_scale));
            }
            if (piece.propertyCount() > 0)
                pieces.append({at.fragment().position(), at.fragment().length(), piece});
        }
        // Formats change in a second pass, because changing them invalidates the iterator over fragments.
        for (const Piece &piece : pieces) {
            cursor.setPosition(piece.begin);
            cursor.setPosition(piece.begin + piece.length, QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(piece.format);
        }
    }
    formatTables(*document()->rootFrame(), theme);
    cursor.endEditBlock();
    fitHeight();
}

QSize LessonText::sizeHint() const {
    return {400, heightForWidth(std::max(120, width()))};
}

int LessonText::heightForWidth(int width) const {
    // Layouts also ask for the height at widths that the text never gets, so the text's own width is restored.
    QTextDocument *const whole = document();
    const qreal own = whole->textWidth();
    whole->setTextWidth(std::min(width, maximumWidth()));
    const int height = static_cast<int>(std::ceil(whole->size().height())) + 2;
    whole->setTextWidth(own);
    return height;
}

void LessonText::fitHeight() {
    setFixedHeight(heightForWidth(std::max(120, width())));
    updateGeometry();
}

void LessonText::resizeEvent(QResizeEvent *event) {
    QTextBrowser::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fitHeight();
}

void LessonText::wheelEvent(QWheelEvent *event) {
    event->ignore(); // the page scrolls, not the text
}

} // namespace meshwright
