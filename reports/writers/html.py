"""A study as one page for a browser: no network, no scripts, figures inside, printable."""

from __future__ import annotations

import base64
import html as markup
from collections.abc import Iterator, Mapping, Sequence

from planner.study import Study
from reports.style import Picture
from reports.texts import Texts
from reports.view import Grid, Part, Tile, View, view

MOST_ROWS = 1_000
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_STYLE = """
:root { --accent: #0072B2; --rule: #B8C4CC; --soft: #555; }
body { font: 16px/1.45 "Libertinus Serif", Georgia, serif; color: #111; margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .3rem 0 1rem; }
h2 { color: var(--accent); margin-top: 2.2rem; }
.kicker { color: var(--accent); font-weight: bold; letter-spacing: .08em; font-size: .85rem; }
.answer { background: var(--accent); color: #fff; border-radius: 4px; padding: .9rem 1.1rem; }
.answer strong { font-size: 1.15rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .7rem;
  margin: 1rem 0; }
.tiles div { border: 1px solid var(--rule); border-radius: 4px; padding: .6rem .8rem; }
.tiles b { display: block; font-size: 1.25rem; }
.tiles small, figcaption, .note { color: var(--soft); font-size: .85rem; }
.risks { border: 1.5px solid #D55E00; border-radius: 4px; padding: .6rem 1rem; }
.risks b { color: #A84300; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; margin: .5rem 0 1rem; }
caption { text-align: left; font-weight: bold; padding: .3rem 0; }
th { text-align: left; vertical-align: bottom; border-bottom: 2px solid var(--accent);
  padding: .25rem .6rem; }
td { border-bottom: 1px solid var(--rule); padding: .25rem .6rem; vertical-align: top;
  overflow-wrap: anywhere; }
.right { text-align: right; white-space: nowrap; }
pre { background: #EAF2F8; border-radius: 4px; padding: .6rem; overflow-x: auto; }
figure { margin: 1rem 0; } img { max-width: 100%; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; }
  figure, tr { break-inside: avoid; } }
"""


def html(study: Study, pictures: Sequence[Picture]) -> bytes:
    """The page: every table with at most 1,000 rows."""
    shown = view(study, MOST_ROWS)
    drawn = {picture.kind: picture for picture in pictures}
    body = "\n".join([*_first(shown, drawn, Texts(study)), *_parts(shown, drawn, Texts(study))])
    return (
        f'<!DOCTYPE html>\n<html lang="{shown.language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(shown.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"{body}\n<p class='note'>{_text(shown.footer)}</p>\n</body>\n</html>\n"
    ).encode()


def notebook(study: Study) -> str:
    """What a notebook shows, in at most 60 kB: answer, numbers, risks, decision and its figure."""
    from reports.figures import pictures  # only a notebook that shows it waits for matplotlib

    shown = view(study)
    drawn = {picture.kind: picture for picture in pictures(study)[:1]}
    parts = [f"<p><b>{_text(shown.headline)}</b> {_text(shown.confidence)}</p>"]
    parts += [_tiles(shown.tiles), _list(shown.risks)]
    parts += [_grid(shown.decision)] if shown.decision is not None else []
    return "\n".join([*parts, *_figure(shown.figure, drawn, Texts(study), small=True)])


def _first(shown: View, drawn: Mapping[str, Picture], texts: Texts) -> Iterator[str]:
    yield f"<p class='kicker'>HEADROOM · {_text(shown.subject.upper())}</p>"
    yield f"<h1>{_text(shown.title)}</h1>"
    yield f"<div class='answer'><strong>{_text(shown.headline)}</strong>"
    yield f"<div>{_text(shown.confidence)}</div></div>"
    yield _tiles(shown.tiles)
    if shown.first_risks:
        heading = _text(shown.labels["risks"])
        yield f"<div class='risks'><b>{heading}</b>{_list(shown.first_risks)}</div>"
    for heading, lines in shown.asides:
        yield f"<h2>{_text(heading)}</h2>{_list(lines)}"
    if shown.decision is not None:
        yield _grid(shown.decision)
    if shown.decision_notes:
        yield _list(shown.decision_notes)
    if shown.next_steps:
        yield f"<h2>{_text(shown.labels['next_steps'])}</h2>{_list(shown.next_steps)}"
    yield from _figure(shown.figure, drawn, texts)


def _parts(shown: View, drawn: Mapping[str, Picture], texts: Texts) -> Iterator[str]:
    for part in shown.parts:
        yield f"<h2>{_text(part.heading)}</h2>"
        yield from _part(part, drawn, texts)


def _part(part: Part, drawn: Mapping[str, Picture], texts: Texts) -> Iterator[str]:
    yield from (f"<p>{_text(line)}</p>" for line in part.lines)
    if part.tiles:
        rows = "".join(
            f"<tr><td>{_text(tile.label)}</td><td>{_text(tile.value)}"
            f"{f' ({_text(tile.note)})' if tile.note else ''}</td></tr>"
            for tile in part.tiles
        )
        yield f"<table>{rows}</table>"
    for each in part.commands:
        yield f"<p>{_text(each.label)}</p><pre>{_text(each.value)}</pre>"
    for name in part.figures:
        yield from _figure(name, drawn, texts)
    yield from (f"<p class='note'>{_text(each.words)}</p>" for each in part.equations)
    yield from map(_grid, part.grids)
    yield _list(part.texts)


def _tiles(tiles: Sequence[Tile]) -> str:
    inside = "".join(
        f"<div><small>{_text(tile.label)}</small><b>{_text(tile.value)}</b>"
        f"<small>{_text(tile.note)}</small></div>"
        for tile in tiles
    )
    return f"<div class='tiles'>{inside}</div>" if inside else ""


def _grid(grid: Grid) -> str:
    looks = [" class='right'" if right else "" for right in grid.right]
    headings = "".join(
        f"<th{look}>{_text(name)}</th>" for look, name in zip(looks, grid.headings, strict=True)
    )
    rows = "".join(
        f"<tr{' class=sum' if grid.summed and row is grid.rows[-1] else ''}>"
        + "".join(f"<td{look}>{_text(cell)}</td>" for look, cell in zip(looks, row, strict=True))
        + "</tr>\n"
        for row in grid.rows
    )
    note = f"<p class='note'>{_text(grid.note)}</p>" if grid.note else ""
    caption = f"<caption>{_text(grid.caption)}</caption>" if grid.caption else ""
    return (
        f"<div class='wide'><table>{caption}<thead><tr>{headings}</tr></thead>"
        f"<tbody>\n{rows}</tbody></table></div>{note}"
    )


def _figure(
    name: str, drawn: Mapping[str, Picture], texts: Texts, *, small: bool = False
) -> Iterator[str]:
    """A figure under its title; a ``small`` one has words instead of their outlines."""
    picture = drawn.get(name)
    if picture is not None:
        source = base64.b64encode(picture.printed if small else picture.svg).decode()
        note = next(texts.note(each) for each in texts.study.figures if each.name == name)
        yield (
            f"<figure><p><b>{_text(picture.title)}.</b></p>"
            f'<img alt="{_text(picture.alternative)}" src="data:image/svg+xml;base64,{source}">'
            f"<figcaption>{_text(note)}</figcaption></figure>"
        )


def _list(lines: Sequence[str]) -> str:
    items = "".join(f"<li>{_text(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def _text(text: str) -> str:
    return markup.escape(text, quote=True)
