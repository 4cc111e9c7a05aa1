"""The texts use the words of the glossary: one concept, one word, one form of address."""

from __future__ import annotations

import re

import pytest

from foxclover.locale import LANGUAGES, texts

# what is shown as it is typed in files and commands
CODE = re.compile(
    r"'foxclover\[[^]]*\]'|\{verdict\}"
    r'|"(Ada,Bo|#e8b400|green|sum|pairs|3 6 - x|\{letter\}|=WWW|R5 & sB9\+|)"'
)

FORBIDDEN = {
    "en": {
        "gendered players": r"\b([Hh]e|[Hh]im|[Hh]is|[Ss]he|[Hh]er|[Hh]ers)\b",
        "nobody in particular": r"\b([Oo]ne[’']s|[Ww]hoever|[Ss]omebody|[Ee]verybody|[Aa]nybody)\b",
        "old verbs": r"\b([Tt]ells?|[Tt]old|[Ll]a(y|id) out|[Ss]tands?|[Gg]o on|[Tt]ake back)\b",
        "old nouns": r"\b[Rr]e-rolls?\b|\b([Ss]eal|[Ss]ealed|unsealed|[Vv]erdict|[Rr]ecord of)\b",
        "straight quotes": r"['\"]",
    },
    "de": {
        "formal address": r"(?<![.:!?;] )(?<!^)(?<!\n)(?<!- )\b(Sie|Ihnen|Ihr|Ihre[mnrs]?)\b",
        "man": r"\bman\b",
        "old nouns": r"\b(Blatt|Blätter|Stufen?|Neuw[uü]rfe?|Mitschrift\w*|Spielprotokoll\w*)\b"
        r"|\b(Rückblick|Partien? des Tages|Sätze|Glücksmarker|Siegel|Übungsnummer)\b|versiegelt",
        "old verbs": r"\b([Hh]erauslegen|ausgelegt|[Hh]ochschieben)\b",
        "straight quotes": r"['\"]",
        "English quotes": r"”|“\w",
    },
    "nl": {
        "formal address": r"\b(u|uw)\b",
        "men": r"\bmen\b",
        "old nouns": r"\b([Gg]ebied\w*|[Vv]ak|[Vv]akken|[Vv]akjes|[Bb]lad|[Bb]laden|[Pp]artij\w*)\b"
        r"|\b([Tt]erugblik|[Ss]pel(len)? van de dag|[Tt]ips?|[Pp]laatje|[Vv]erslag(en)?)\b|balk\b"
        r"|verzegeld|\bzegel",
        "old verbs": r"\b([Ff]alen|faal|faalt|[Vv]ervul\w*|neergelegd|[Tt]erugnemen)\b",
        "ranges": r"\d tot( en met)? \d|\} tot \{",
        "straight quotes": r"['\"]",
        "single quotes": r"‘",
    },
}

# words of the transcript's notation, which stay as they are
NOTATION = {"transcript.seal", "transcript.stray"}

GLOSSARY = {  # a text that must use each term
    "why.clever.wait": ("passive player", "passiven Spieler", "passieve speler"),
    "page.guide.clever.take": ("active player", "aktiven Spieler", "actieve speler"),
    "page.sheet.of": ("sheet", "Spielblatt", "Speelvel"),
    "clever.points.foxes": ("area", "Bereich", "categorie"),
    "clever.entry.field": ("field", "Feld", "veld"),
    "cli.draw.field": ("dice fields", "Würfelfelder", "dobbelsteenvelden"),
    "cli.draw.platter": ("silver platter", "Silbertablett", "zilveren dienblad"),
    "clever.move.choose": ("Choose", "wählen", "Kies"),
    "clever.bonus.reroll": ("reroll", "Nachwürfeln", "nogmaals dobbelen"),
    "clever.bonus.return": ("return", "Zurückholen", "terughalen"),
    "clever.bonus.extra": ("extra die", "Zusatzwürfel", "extra dobbelsteen"),
    "why.clever.no_extra": ("action track", "Aktionsleiste", "actiespoor"),
    "page.guide.clever.choose": ("wild", "Farb-Joker", "kleurenjoker"),
    "page.level": ("Level", "Ebene", "Niveau"),
    "climb.move.build": ("Place", "einbauen", "Bouw"),
    "climb.move.push": ("Push", "pushen", "omhoog"),
    "climb.move.score": ("Score", "werten", "Scoor"),
    "climb.move.fulfil": ("Fulfil", "erfüllen", "Voltooi"),
    "climb.move.fail": ("Fail", "Scheitern", "mislukken"),
    "climb.move.out": ("Drop out", "Aussteigen", "Uitstappen"),
    "page.explain.luck": ("Luck marker", "Glück-Marker", "Geluksfiche"),
    "page.climb.fairy": ("Lucky fairy", "Glücksfee", "Geluksfee"),
    "start_player.choice": ("Start player", "Startspieler", "Startspeler"),
    "page.result.transcript": ("Transcript", "Protokoll", "Spelverslag"),
    "page.review": ("Review", "Analyse", "Analyse"),
    "review.luck": ("dice luck", "Würfelglück", "dobbelgeluk"),
    "page.hint": ("Hint", "Tipp", "Hint"),
    "page.fair.whole": ("Provably fair", "Nachprüfbare Würfel", "Controleerbare dobbelstenen"),
    "page.daily": ("Daily challenge", "Tagesaufgabe", "Dagelijkse uitdaging"),
    "page.setup.level": ("strength", "Stärke", "Sterkte"),
    "rating.level": ("Rating", "Bewertung", "Beoordeling"),
}

BUTTONS = (
    *("page.roll", "page.undo", "page.hint", "page.rematch", "page.join.sit", "page.join.watch"),
    *("page.seats.replace", "page.seats.free", "page.seats.leave", "page.seats.return"),
    *("page.seats.on", "page.invite", "page.invite.let_in", "page.invite.shut_again"),
    *("page.result.look", "page.result.transcript", "page.fair.download", "page.fair.witness"),
    *("page.me.export", "page.me.import", "page.me.delete", "page.me.along.go", "page.try"),
    *("page.daily.begin", "page.daily.go_on", "page.daily.groups.make", "page.practice.show"),
    *("page.look.go", "page.look.file", "page.update.take", "page.entry.back", "page.move.keep"),
    *("start_player.draw", "page.replay.leave", "page.practice.leave", "page.guide.again"),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_has_a_forbidden_form(language: str) -> None:
    found = [
        (why, key, text)
        for key, text in texts(language).items()
        for why, pattern in FORBIDDEN[language].items()
        if key not in NOTATION and re.search(pattern, CODE.sub("", text))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "If the active player chooses silver, he may go on."),
        ("en", "Whoever is out gets 1 luck."),
        ("en", "This isn't possible."),
        ("de", "Bitte wählen Sie einen Würfel."),
        ("de", "Neuwurf auf Stufe 2"),
        ("nl", "Kies uw dobbelsteen."),
        ("nl", "Vul een vak van het gebied in."),
        ("nl", "een getal van {low} tot {high}"),
    ],
)
def test_forbidden_forms_are_found(language: str, text: str) -> None:
    assert any(re.search(pattern, text) for pattern in FORBIDDEN[language].values())


@pytest.mark.parametrize("key", GLOSSARY)
def test_texts_use_the_terms_of_the_glossary(key: str) -> None:
    for language, term in zip(("en", "de", "nl"), GLOSSARY[key], strict=True):
        assert term in texts(language)[key]


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_have_at_most_three_words(language: str) -> None:
    assert [key for key in BUTTONS if len(texts(language)[key].split()) > 3] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_no_commands(language: str) -> None:
    shown = ("page.", "rules.", "common.", "clever.", "climb.", "why.", "server.refused.")
    assert [
        (key, text)
        for key, text in texts(language).items()
        if key.startswith(shown) and re.search(r"foxclover |\./play| --\w", text)
    ] == []
