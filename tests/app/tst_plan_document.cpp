// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "input/diagnostic.h"
#include "json_text.h"
#include "listed_test.h"
#include "plan_document.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

PlanEdit tensorEdit(int value, EditPace pace) {
    return {.field = QStringLiteral("/parallelism/tensor"),
            .subject = QStringLiteral("Tensor"),
            .from = QStringLiteral("8"),
            .to = QString::number(value),
            .patch = ordered_json{{"parallelism", {{"tensor", value}}}}.dump(),
            .pace = pace};
}

} // namespace

class PlanDocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_document = std::make_unique<PlanDocument>(Library::standard());
        m_document->replace(Library::standard().json(PresetKind::plan, "ten-to-25"), {});
    }

    void an_edit_changes_what_it_says_and_nothing_else() {
        ordered_json expected = *m_document->json();
        m_document->apply(tensorEdit(4, EditPace::Settled));
        expected["parallelism"]["tensor"] = 4;
        QCOMPARE(textOf(*m_document->json()), textOf(expected));
    }

    void a_drag_is_one_step_from_its_first_value_to_its_last() {
        for (const int value : {4, 2, 1, 2})
            m_document->apply(tensorEdit(value, EditPace::Live));
        m_document->seal();
        QCOMPARE(m_document->undoStack()->count(), 1);
        QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Tensor 8 → 2"));
        m_document->undoStack()->undo();
        QCOMPARE(textOf(m_document->json()->at("parallelism").at("tensor")), textOf(8));
    }

    void a_drag_back_to_the_start_is_no_step_and_no_change() {
        const ordered_json before = *m_document->json();
        for (const int value : {4, 2, 4, 8})
            m_document->apply(tensorEdit(value, EditPace::Live));
        m_document->seal();
        QCOMPARE(m_document->undoStack()->count(), 0);
        QVERIFY(!m_document->isModified());
        QCOMPARE(textOf(*m_document->json()), textOf(before));
    }

    void a_drag_back_to_a_default_that_was_not_written_is_no_step() {
        m_document->replace({{"schema", "meshwright.plan/1"}, {"cluster", "dgx-h100"}, {"model", "llama-3.1-8b"}}, {});
        const ordered_json before = *m_document->json();
        m_document->apply(tensorEdit(2, EditPace::Live));
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->apply(tensorEdit(1, EditPace::Live));
        QCOMPARE(m_document->undoStack()->count(), 0);
        QCOMPARE(textOf(*m_document->json()), textOf(before));
    }

    void steps_behind_do_not_keep_their_documents() {
        ordered_json document = *m_document->json();
        document["notes"] = std::string(1'000'000, 'x');
        m_document->replace(document, {});
        std::vector<std::weak_ptr<const ordered_json>> documents;
        for (int i = 0; i < 50; ++i) {
            m_document->apply(tensorEdit(i % 2 == 0 ? 4 : 2, EditPace::Settled));
            documents.push_back(m_document->json());
        }
        QCOMPARE(m_document->undoStack()->count(), 50);
        QCOMPARE(std::count_if(documents.begin(), documents.end(), [](const auto &each) { return !each.expired(); }),
                 std::ptrdiff_t{1});
        for (int i = 0; i < 50; ++i)
            m_document->undoStack()->undo();
        QCOMPARE(textOf(*m_document->json()), textOf(document));
    }

    void undo_and_redo_are_true_to_the_letter() {
        const std::vector<std::string> patches{
            R"({"parallelism": {"tensor": 4, "zero": 1}})",
            R"({"batch": null, "cluster": "dgx-h100"})",
            R"({"batch": {"global_tokens": 8.0}, "own": {"list": [1, 2, {"a": 3}], "text": "t"}})",
            R"({"own": {"list": [1, 5, {"a": 3.0, "b": []}]}})",
            R"({"own": {"list": [1], "text": null, "more": {"deep": {"deeper": true}}}})",
            R"({"own": {"more": {"deep": null}}, "parallelism": null})",
            R"({"own": 7, "parallelism": {"tensor": 2}})"};
        std::vector<QString> texts{textOf(*m_document->json())};
        for (const std::string &patch : patches) {
            m_document->apply({.subject = QStringLiteral("Something"), .patch = patch});
            texts.push_back(textOf(*m_document->json()));
        }
        QCOMPARE(m_document->undoStack()->count(), int(patches.size()));
        for (std::size_t i = patches.size(); i-- > 0;) {
            m_document->undoStack()->undo();
            QCOMPARE(textOf(*m_document->json()), texts[i]);
        }
        for (std::size_t i = 1; i < texts.size(); ++i) {
            m_document->undoStack()->redo();
            QCOMPARE(textOf(*m_document->json()), texts[i]);
        }
    }

    void the_steps_that_can_be_undone_are_bounded() {
        for (int i = 0; i < 1100; ++i)
            m_document->apply(tensorEdit(i % 2 == 0 ? 4 : 2, EditPace::Settled));
        QCOMPARE(m_document->undoStack()->count(), 1000);
        QVERIFY(m_document->isModified());
    }

    void two_drags_of_one_slider_are_two_steps() {
        m_document->apply(tensorEdit(4, EditPace::Live));
        m_document->seal();
        m_document->apply(tensorEdit(2, EditPace::Live));
        m_document->seal();
        QCOMPARE(m_document->undoStack()->count(), 2);
    }

    void fields_that_would_follow_silently_keep_their_values() {
        m_document->replace({{"schema", "meshwright.plan/1"}, {"cluster", "dgx-h100"}, {"model", "llama-3.1-8b"}}, {});
        // By default, sequence parallelism is on for tensor degrees over 1, and the batch follows the data degree.
        m_document->apply(tensorEdit(2, EditPace::Settled));
        QCOMPARE(textOf(m_document->json()->at("parallelism").at("sequence_parallel")), textOf(false));
        QVERIFY(m_document->json()->at("batch").contains("global_sequences"));
        QVERIFY2(!m_document->json()->at("parallelism").contains("data"),
                 "the derived data degree must not be written to the plan");
    }

    void saving_and_opening_give_the_same_document() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("plan.plan"));
        m_document->apply(tensorEdit(4, EditPace::Settled));
        QVERIFY(m_document->isModified());
        m_document->save(path);
        QVERIFY(!m_document->isModified());
        PlanDocument again(Library::standard());
        again.open(path);
        QCOMPARE(textOf(*again.json()), textOf(*m_document->json()));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1); // no temporary file remains next to it
    }

    void undoing_past_a_save_is_a_change() {
        QTemporaryDir folder;
        m_document->apply(tensorEdit(4, EditPace::Settled));
        m_document->save(folder.filePath(QStringLiteral("plan.plan")));
        m_document->undoStack()->undo();
        QVERIFY(m_document->isModified());
        m_document->undoStack()->redo();
        QVERIFY(!m_document->isModified());
    }

    void a_file_that_does_not_read_leaves_the_document_alone() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("broken.plan"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"schema\": ");
        file.close();
        const DocumentPointer before = m_document->json();
        QVERIFY_THROWS_EXCEPTION(InputError, m_document->open(path));
        QVERIFY(m_document->json() == before);
        QVERIFY_THROWS_EXCEPTION(FileError, m_document->save(folder.filePath(QStringLiteral("missing/plan.plan"))));
    }

    void what_ends_with_unsaved_edits_says_nothing_any_more() {
        m_document->apply(tensorEdit(4, EditPace::Settled));
        const QSignalSpy said(m_document.get(), &PlanDocument::originChanged);
        m_document.reset();
        QCOMPARE(said.count(), 0);
    }

private:
    std::unique_ptr<PlanDocument> m_document;
};

LISTED_TEST(PlanDocumentTest, QCoreApplication)
#include "tst_plan_document.moc"
