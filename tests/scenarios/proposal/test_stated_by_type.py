"""Notes that name node types: figures before or behind the names, lists, exceptions."""

from __future__ import annotations

import pytest

from scenarios.proposal.notes import Text, discounts_of, lead_of

TYPES = (
    ("Standard compute node", "NB-1120"),
    ("Large-memory node", "NB-1130"),
    ("GPU node", "NG-2400"),
    ("Login node", "NL-100"),
)


@pytest.mark.parametrize(
    ("note", "weeks"),
    [
        ("Delivery of a node takes 8 weeks, service within 2 weeks", "8 8 8 8"),
        ("Lieferzeit 12 Wochen, GPU-Knoten 20 Wochen", "12 12 20 12"),
        ("Levertid: 12 uker (GPU-noder 20 uker)", "12 12 20 12"),
        ("Leveranstid: NB-1120 och NB-1130 10 veckor, NG-2400 18 veckor från order.", "10 10 18 -"),
        ("Delivery: 10 weeks for NB-1120, NB-1130 and 18 weeks for NG-2400.", "10 10 18 -"),
        ("Delivery NB-1120, NB-1130: 10 weeks; Login and GPU nodes 18 weeks", "10 10 18 18"),
        ("GPU nodes are delivered in 20 weeks. All others: 12 weeks", "12 12 20 12"),
        ("GPU nodes on request, delivery of others 9 weeks", "9 9 - 9"),
        ("Delivery of HC-1 in 9 weeks, of HC-2 in 12 weeks", "- - - -"),  # not in the table
        ("Delivery in 12 weeks and 20 weeks for GPU nodes", "- - - -"),  # not clear
        ("Lead time 10 weeks for CPU nodes, 20 weeks for accelerated nodes", "- - - -"),
        ("Lead time: 10 weeks for CPU nodes and 20 weeks for accelerated nodes", "- - - -"),
        ("Lieferzeit 8 Wochen, sonst 12 Wochen", "- - - -"),
        ("\uf0b7 Delivery time: 12 weeks", "12 12 12 12"),  # a bullet for private use
        ("Standard delivery time: 12 weeks", "12 12 12 12"),
    ],
)
def test_weeks_hold_for_the_types_that_a_note_names(note: str, weeks: str) -> None:
    found = lead_of([Text(note, "A9")], TYPES)
    assert " ".join(each or "-" for each in found.values) == weeks
    assert (found.why == f"A9: {note!r}") or not any(found.values)


@pytest.mark.parametrize(
    ("note", "discounts"),
    [
        ("descuento: 100 unidades 3 %, 200 unidades 5 %", {0, 1, 2, 3}),
        ("Discount: 100 nodes 3 %, 200 nodes 5 %, for the GPU node no discount", {0, 1, 3}),
        ("Rabatt: 100: 3 %, 200: 5 %; gjelder ikke GPU-noder og NL-100", {0, 1}),
        ("Discount except GPU nodes: 100 units 3 %, 200 units 5 %", {0, 1, 3}),
        ("Rabatt (NB-1120 und NB-1130): 100: 3 %; 200: 5 %. GPU-Knoten: entfällt", {0, 1}),
        ("Mängdrabatt på NB-1120: 100 st 3 %, 200 st 5 % (per artikel). Ingen på NG-2400", {0}),
        ("Discount on HC-1: from 100 pieces 3 %, from 200 pieces 5 %", set()),  # not in the table
        ("Discount for 100 nodes 3 %, for 200 nodes 5 %, if paid within 14 days", set()),
        ("Discount on orders from 50000 EUR: 3 %", set()),  # a sum of money, no quantity
        ("Discount 9 % on the list, from 100 units 3 %, from 200 units 5 %", set()),
    ],
)
def test_discounts_hold_for_the_types_that_a_note_names(note: str, discounts: set[int]) -> None:
    found, _ = discounts_of([Text(note, "A9")], TYPES)
    steps = "100: 3 %; 200: 5 %"
    assert found.values == tuple(steps if place in discounts else "" for place in range(4))


@pytest.mark.parametrize(
    "note",
    ["2 % discount on all nodes if paid within 14 days",
     "Rebate of 3 % for payment within 10 days",
     "Rabatt von 2 % auf alle Knoten bei Zahlung innerhalb von 14 Tagen",
     "Remise de 2 % sur tous les nœuds sous 10 jours",
     "Sconto 2 % sui nodi entro 10 giorni",
     "Rabat 2 % na wezly w ciagu 14 dni"],
)  # fmt: skip
def test_a_discount_for_early_payment_is_none_by_quantity(note: str) -> None:
    assert discounts_of([Text(note, "A9")], TYPES)[0].values == ("",) * 4


@pytest.mark.parametrize(
    ("note", "weeks"),
    [
        ("Lead time: 8 weeks for Thin, 12 weeks for all others", ("8", "12", "12")),
        ("Lead time Thin 8 weeks, the rest 12 weeks", ("8", "12", "12")),
        ("Delivery: Thin: 8 weeks; Fat: 12 weeks", ("8", "12", "")),
        ("Delivery in 8 weeks for Fat and 9 weeks for Thin", ("9", "8", "")),
    ],
)
def test_a_name_next_to_its_figure_names_a_type(note: str, weeks: tuple[str, ...]) -> None:
    types = (("Thin",), ("Fat",), ("Accelerated",))
    assert lead_of([Text(note, "A9")], types).values == weeks


def test_types_may_have_discounts_of_their_own() -> None:
    note = "Rabatt auf NB-1120: 100: 3 %, 200: 5 %; auf NG-2400: ab 20 Stück 2 %"
    values = discounts_of([Text(note, "A9")], TYPES)[0].values
    assert values == ("100: 3 %; 200: 5 %", "", "20: 2 %", "")


def test_notes_one_below_the_other_are_joined() -> None:
    notes = [Text(f"Delivery {name}: {weeks} weeks", name) for name, weeks in
             (("GPU node", 20), ("NB-1120", 9), ("of all", 12), ("of all", 30))]  # fmt: skip
    assert lead_of(notes, TYPES).values == ("9", "12", "20", "12")


def test_words_of_names_in_a_list_name_types_next_to_a_word_as_node() -> None:
    types = (("Thin",), ("Fat",), ("Accelerated",))
    note = "Lead time: thin and fat nodes 8 weeks, accelerated nodes 16 weeks, fat chance of less"
    assert lead_of([Text(note, "A9")], types).values == ("8", "8", "16")


def test_a_letter_names_a_type_and_an_article_does_not() -> None:
    types = (("Nodo tipo A - Calcolo",), ("Nodo tipo B - Memoria",), ("Nodo tipo C - GPU",))
    for note in ("consegna tipo A e B 9 settimane", "consegna tipi A e B, a parte tutto, 9 sett."):
        assert lead_of([Text(note, "A9")], types).values[2] == ""
    note = "consegna dei nodi a 9 settimane dall'ordine"
    assert lead_of([Text(note, "A9")], types).values == ("9", "9", "9")
