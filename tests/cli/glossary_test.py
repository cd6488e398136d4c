# SPDX-License-Identifier: GPL-3.0-or-later
"""The glossary: the table of all terms, the card of one term, and both as JSON."""
import json
import unittest

from program import SOURCE, ProgramTest, answer, run


class Glossary(ProgramTest):
    def test_lists_every_term_once_in_one_line_each(self):
        lines = run("glossary").stdout.decode().splitlines()
        with open(f"{SOURCE}/resources/glossary.json", encoding="utf-8") as stream:
            terms = json.load(stream)["terms"]
        self.assertGreaterEqual(len(terms), 170)
        self.assertEqual(len(lines), len(terms) + 1)
        self.assertTrue(lines[0].startswith("term "))
        self.assertEqual({line.split("  ")[0] for line in lines[1:]}, {term["term"] for term in terms})
        self.assertLessEqual(max(map(len, lines)), 100)

    def test_a_term_has_a_card(self):
        for name in (["1F1B"], ["1f1b"], ["one", "forward", "one", "backward"], ["one forward one backward"]):
            card = run("glossary", *name).stdout.decode()
            self.assertTrue(card.startswith("1F1B (one forward one backward, PipeDream-Flush)\n\n"), card)
            self.assertIn("\nFormula   bubble of ideal = (p - 1) / m\n", card)
            self.assertIn("\nSource    Narayanan et al. 2021, arXiv 2104.04473, section 2.2.1\n", card)
            self.assertIn("\nSee also  GPipe, Interleaved 1F1B, Microbatches in flight\n", card)

    def test_a_card_says_which_fields_it_explains(self):
        self.assertIn("\nFields    /parallelism/tensor\n", run("glossary", "TP").stdout.decode())

    def test_cards_fit_the_page(self):
        for term in answer("glossary", "--json")["terms"][::9]:
            done = run("glossary", term["term"])
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertLessEqual(max(map(len, done.stdout.decode().splitlines())), 100)

    def test_json_has_every_term_with_its_related_terms_by_name(self):
        terms = answer("glossary", "--json")["terms"]
        names = {term["term"] for term in terms}
        self.assertEqual(len(names), len(terms))
        order = [term["term"].lower().replace("-", " ") for term in terms]
        self.assertEqual(order, sorted(order))
        for term in terms:
            for key in ("term", "definition", "formula", "source"):
                self.assertIsInstance(term[key], str)
            self.assertTrue(term["definition"])
            self.assertTrue(set(term["see_also"]) <= names - {term["term"]}, term)

    def test_json_of_one_term(self):
        terms = answer("glossary", "all-reduce", "--json")["terms"]
        self.assertEqual([term["term"] for term in terms], ["All-reduce"])
        self.assertIn("Ring algorithm", terms[0]["see_also"])
        self.assertEqual(answer("glossary", "--json", "ALL", "REDUCE")["terms"], terms)

    def test_an_unknown_term_is_rejected_in_one_line_that_suggests_near_ones(self):
        for name, near in (("quorumm", b"Quorum"), ("tensor paralelism", b"Tensor parallelism"), ("pipeline", b"Pipeline")):
            done = run("glossary", name)
            self.assert_fails(done, 3)
            self.assertIn(b"did you mean", done.stderr)
            self.assertIn(near, done.stderr)
            self.assertEqual(done.stdout, b"")
        for name in ("", " ", "xyzzy-plugh-frobozz-quux", "\n\n", "\udcff\udcfe", "a" * 100_000, "<b>"):
            self.assert_fails(run("glossary", name), 3)
            self.assert_fails(run("glossary", name, "--json"), 3)

    def test_wrong_usage_is_2(self):
        self.assert_fails(run("glossary", "--weave"), 2)


if __name__ == "__main__":
    unittest.main()
