#!/usr/bin/env python3
"""That the checks of documents fail where they must."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

import documents
import figures

TABLE = """<!-- figures
files: 2026-11-24-h200-2d.csv
rows: 128^2 4096^2
columns: f32 = sonoma speed; cuFFT = cufft speed; times = sonoma/cufft ratio; error = sonoma u
-->
<!-- end -->
"""


def quiet(call, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        return call(*arguments), out.getvalue()


class Document(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, text):
        path = self.folder / "page.md"
        path.write_text(text)
        return path


class Figures(Document):
    def checked(self, text):
        done = subprocess.run([sys.executable, figures.__file__, self.written(text)], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_table_is_what_the_rows_say(self):
        made = figures.rewritten("page.md", TABLE)
        self.assertIn("| 128^2 | 0.91 | 0.35 | 2.58 | 2.2u |", made)
        self.assertIn("| 2213217 |", made)
        self.assertEqual(self.checked(made)[0], 0)

    def test_a_figure_that_was_changed_is_found(self):
        made = figures.rewritten("page.md", TABLE)
        for right, wrong in (("0.91", "0.92"), ("2.2u", "2.1u"), ("2213217", "2213218"), ("2.58", "2.59")):
            status, out = self.checked(made.replace(right, wrong, 1))
            self.assertEqual(status, 1, wrong)
            self.assertIn(wrong, out)

    def test_what_is_not_there_is_named(self):
        for right, wrong in (("128^2", "129^2"), ("h200-2d.csv", "h200-9d.csv"), ("f32 = sonoma speed", "f32 = sonoma sped"),
                             ("<!-- end -->\n", "")):
            status, out = self.checked(TABLE.replace(right, wrong))
            self.assertNotEqual(status, 0, wrong)
            self.assertIn("page.md", out)

    def test_ranges(self):
        bounds = "files: 2026-11-23-h200-products.csv\nrows: small = 2..9\n"
        columns = "columns: how many = sonoma/cufft count; slower = sonoma/cufft below0.97; median = sonoma median\n"
        made = figures.rewritten("page.md", f"<!-- figures\n{bounds}{columns}-->\n<!-- end -->\n")
        self.assertIn("| small | 8 | 0 |", made)


class Commands(Document):
    def run_page(self, text):
        return quiet(documents.run, "/nowhere", [self.written(text)])

    def test_a_picture_is_what_its_command_makes(self):
        page = "```sh\ncp docs/flow.svg copy.svg\n{} copy.svg > flow.svg\n```\n"
        self.assertEqual(self.run_page(page.format("cat"))[0], 0)
        status, out = self.run_page(page.format("tail -n +2"))
        self.assertEqual(status, 1)
        self.assertIn("docs/flow.svg is not what", out)

    def test_a_block_that_fails_is_shown(self):
        status, out = self.run_page("```sh\ntrue\n```\n\n```sh\nfalse | cat\ntrue\n```\n")
        self.assertEqual(status, 1)
        self.assertIn("page.md:6", out)

    def test_blocks_share_a_folder_with_inputs(self):
        self.assertEqual(self.run_page("```sh\ntest -s x.npy\necho 1 > made\n```\n```sh\ntest -e made\n```\n")[0], 0)

    def test_what_is_not_run_is_said(self):
        page = "<!-- not run: needs a GPU -->\n```sh\nfalse\n```\n<!-- if: false -->\n```sh\nfalse\n```\n```sh\ntrue\n```\n"
        status, out = self.run_page(page)
        self.assertEqual(status, 0)
        self.assertIn("not run: needs a GPU", out)
        self.assertIn("`false` fails here", out)

    def test_files_and_what_comes_before(self):
        page = "<!-- file: spec.json -->\n```json\n{}\n```\n<!-- if: true -->\n<!-- before: A=spec -->\n```sh\ncat $A.json\n```\n"
        self.assertEqual(self.run_page(page)[0], 0)
        self.assertEqual(self.run_page(page.replace("A=spec", "A=other"))[0], 1)

    def test_a_page_without_blocks_fails(self):
        self.assertEqual(self.run_page("```cpp\nint x;\n```\n")[0], 1)

    def test_fragments_are_functions(self):
        page = self.written("<!-- given: int* in; int n -->\n```cpp\n*in = n;\n```\n```cpp\nint main() {}\n```\n")
        documents.fragments(self.folder / "out.cpp", [page])
        text = (self.folder / "out.cpp").read_text()
        self.assertIn("void fragment_1(int* in, int n) {\n#line 3 \"page.md\"\n*in = n;", text)
        self.assertNotIn("int main", text)

    def test_links(self):
        self.assertEqual(quiet(documents.links, [self.written("# One\n[a](#one) [b](https://x.org/y)\n")])[0], 0)
        for link in ("no.md", "#two", "page.md#two"):
            status, out = quiet(documents.links, [self.written(f"# One\n[a]({link})\n")])
            self.assertEqual(status, 1)
            self.assertIn(link, out)

    def test_settings(self):
        source = self.folder / "config.cpp"
        source.write_text('variable(lookup, "SONOMA_ONE"); is_set(lookup, "TMPDIR");')
        self.assertEqual(quiet(documents.settings, source, self.written("SONOMA_ONE, TMPDIR"))[0], 0)
        status, out = quiet(documents.settings, source, self.written("TMPDIR"))
        self.assertEqual(status, 1)
        self.assertIn("SONOMA_ONE", out)


if __name__ == "__main__":
    unittest.main()
