"""Builds "Linewise Sans SC", the typeface of the pages and of the PDF, from open fonts (decision 0004).

Sources, all under the SIL Open Font License, taken from npm and unpacked side by side in one folder
(`npm pack NAME@VERSION`, then `tar xzf` into a folder called like the package without its scope):

    @expo-google-fonts/noto-sans-sc@0.4.3          Chinese, kana, full-width forms
    @expo-google-fonts/source-sans-3@0.4.1         the Latin that Noto Sans SC itself uses
    @expo-google-fonts/noto-sans-symbols-2@0.4.1   a few check marks and shapes

Run `.venv/bin/python static/fonts/build.py FOLDER`; it writes two TTF files (for the PDF) and two WOFF2 files
(for the browser) beside itself, always the same bytes for the same sources and the same fontTools.

Covered: the 8,105 characters of 通用规范汉字表 (2013), read from `general-standard-8105.txt`, which lists
them in the table's own order as the kTGH property of Unihan 15.0 gives it; all of GB 2312; and of BLOCKS
everything that one of the sources has. Not covered: the rest of GBK, traditional forms and the rarer
extensions, for which a system font steps in.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
FAMILY = "Linewise Sans SC"
VERSION = "1.000"

BLOCKS = (
    (0x0020, 0x024F),  # Latin, Latin-1, Latin Extended-A and B
    (0x02B0, 0x036F),  # modifiers, combining marks
    (0x0370, 0x03FF),  # Greek
    (0x0400, 0x045F),  # Cyrillic as in GB 2312
    (0x2000, 0x206F),  # general punctuation
    (0x2070, 0x209F),  # superscripts and subscripts
    (0x20A0, 0x20CF),  # currency
    (0x2100, 0x218F),  # letter-like symbols, number forms
    (0x2190, 0x22FF),  # arrows, mathematics
    (0x2300, 0x23FF),  # technical
    (0x2460, 0x27BF),  # enclosed figures, box drawing, shapes, symbols, dingbats
    (0x3000, 0x33FF),  # CJK punctuation, kana, bopomofo, enclosed and square units
    (0xFE10, 0xFE6F),  # vertical and small forms
    (0xFF00, 0xFFEF),  # full-width and half-width forms
)
# Noto Sans SC draws these a full em wide, which tears figures such as "8×10⁻⁵" and "≤5 ms" apart.
NARROW = "±×÷−≤≥≠≈√∞•⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉"
# Full em in Chinese text, narrow in English text: `font-variant-east-asian: proportional-width` chooses.
BY_LANGUAGE = "‘’“”…·"
# Stem weight of the Latin in Noto Sans SC over that of Source Sans at the same size.
LATIN_SCALE = {"Regular": 1.117, "Bold": 1.128}
SYMBOL_SCALE = 1.0
STYLES = {"Regular": ("400Regular", 400), "Bold": ("700Bold", 700)}


def wanted_characters() -> set[int]:
    """Every code point that the font should have, whether or not a source has it."""
    table = (HERE / "general-standard-8105.txt").read_text(encoding="utf-8")
    characters = {ord(c) for c in table if not c.isspace()}
    for lead in range(0xA1, 0xF8):
        row = b"".join(bytes((lead, trail)) for trail in range(0xA1, 0xFF))
        characters |= {ord(c) for c in row.decode("gb2312", errors="ignore")}
    for first, last in BLOCKS:
        characters |= set(range(first, last + 1))
    return characters


def subset(font: TTFont, characters: set[int]) -> None:
    """Cut the Chinese source down to the characters, without hints and without vertical writing."""
    options = Options()
    options.hinting = False
    options.layout_features = ["kern", "palt", "halt", "mark"]
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.drop_tables += ["BASE", "GSUB", "STAT", "gasp", "prep", "vhea", "vmtx"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)


def add_glyph(font: TTFont, name: str, donor: TTFont, character: int, scale: float) -> None:
    """Copy the outline of a character from a donor of the same units per em, scaled."""
    source = donor.getBestCmap()[character]
    outline = DecomposingRecordingPen(donor.getGlyphSet())
    donor.getGlyphSet()[source].draw(outline)
    pen = TTGlyphPen(None)
    outline.replay(TransformPen(pen, (scale, 0, 0, scale, 0, 0)))
    glyph = pen.glyph()
    font["glyf"][name] = glyph
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (round(donor["hmtx"][source][0] * scale), getattr(glyph, "xMin", 0))


def fill_gaps(font: TTFont, characters: set[int], donors: list[tuple[TTFont, float]]) -> None:
    """Add what the Chinese source lacks, what it draws too wide, and the narrow twins of BY_LANGUAGE."""
    have = set(font.getBestCmap()) - {ord(c) for c in NARROW}
    added: dict[int, str] = {}
    for donor, scale in donors:
        for character in sorted((characters - have - set(added)) & set(donor.getBestCmap())):
            added[character] = f"lw{character:04X}"
            add_glyph(font, added[character], donor, character, scale)
    for table in font["cmap"].tables:
        table.cmap.update(added)
    latin, scale = donors[0]
    rules = []
    for mark in BY_LANGUAGE:
        wide, narrow = font.getBestCmap()[ord(mark)], f"lw{ord(mark):04X}.narrow"
        add_glyph(font, narrow, latin, ord(mark), scale)
        rules.append(f"sub {wide} by {narrow};")
    scripts = "\n".join(f"languagesystem {script} dflt;" for script in ("DFLT", "grek", "hani", "latn"))
    feature = f"{scripts}\nfeature pwid {{\n{chr(10).join(rules)}\n}} pwid;"
    addOpenTypeFeaturesFromString(font, feature, tables=["GSUB"])


def rename(font: TTFont, style: str, weight: int) -> None:
    """Give the result its own name, as the licence's reserved names ask, and keep the copyright notes."""
    post_script = f"{FAMILY.replace(' ', '')}-{style}"
    names = font["name"]
    kept = {number: names.getDebugName(number) for number in (9, 13, 14)}
    names.names = []
    for number, text in sorted(
        {
            0: "(c) 2014-2021, 2010-2020 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'. "
            "Copyright 2022 The Noto Project Authors. This subset: Linewise.",
            1: FAMILY,
            2: style,
            3: f"{VERSION};{post_script}",
            4: FAMILY if style == "Regular" else f"{FAMILY} {style}",
            5: f"Version {VERSION}; from Noto Sans SC 2.004, Source Sans 3.052, Noto Sans Symbols 2",
            6: post_script,
            **kept,
        }.items()
    ):
        names.setName(text, number, 3, 1, 0x409)
    bold = style == "Bold"
    font["OS/2"].usWeightClass = weight
    font["OS/2"].fsSelection = 0x20 if bold else 0x40
    font["OS/2"].achVendID = "LNWS"
    font["OS/2"].recalcUnicodeRanges(font)
    font["OS/2"].recalcAvgCharWidth(font)
    font["head"].macStyle = 1 if bold else 0


def build(sources: Path, style: str) -> None:
    """Build and write one style, and say what it holds."""
    folder, weight = STYLES[style]

    def load(package: str, file: str, weights: str = folder) -> TTFont:
        return TTFont(next((sources / package).rglob(f"{file}_{weights}.ttf")), recalcTimestamp=False)

    font = load("noto-sans-sc", "NotoSansSC")
    donors = [
        (load("source-sans-3", "SourceSans3"), LATIN_SCALE[style]),
        (load("noto-sans-symbols-2", "NotoSansSymbols2", "400Regular"), SYMBOL_SCALE),
    ]
    characters = wanted_characters()
    subset(font, characters)
    fill_gaps(font, characters, donors)
    rename(font, style, weight)
    target = HERE / f"LinewiseSansSC-{style}.ttf"
    font.save(target)
    font.flavor = "woff2"
    font.save(target.with_suffix(".woff2"))
    for file in (target, target.with_suffix(".woff2")):
        print(f"{file.name}: {len(font.getBestCmap())} characters, {file.stat().st_size / 1e6:.2f} MB")


def main() -> int:
    """Command line: the folder with the unpacked sources."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sources", type=Path)
    sources = parser.parse_args().sources
    for style in STYLES:
        build(sources, style)
    return 0


if __name__ == "__main__":
    sys.exit(main())
