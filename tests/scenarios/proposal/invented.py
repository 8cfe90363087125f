"""Vendors' sheets written by hand, with what a person reads in them.

Cells are parted by bars. In a workbook a cell that looks like a plain number is one. These layouts
were written before the proposal, and its words were not chosen by them.
"""

from __future__ import annotations

import datetime as dt
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlsxwriter


@dataclass(frozen=True)
class Invented:
    """A layout: file, sheets as text, and what they state."""

    file: str
    sheets: dict[str, str]
    vendor: str
    currency: str
    truth: dict[str, dict[str, Any]]

    def write(self, folder: Path) -> Path:
        """Write the file into a folder."""
        path = folder / self.file
        if path.suffix == ".csv":
            path.write_text(next(iter(self.sheets.values())), encoding="utf-8")
        else:
            path.write_bytes(_workbook(self.sheets))
        return path


def _workbook(sheets: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    for name, text in sheets.items():
        sheet = book.add_worksheet(name)
        for row, line in enumerate(text.strip("\n").split("\n")):
            for column, cell in enumerate(each.strip() for each in line.split("|")):
                try:
                    sheet.write_number(row, column, float(cell))
                except ValueError:
                    if cell:
                        sheet.write_string(row, column, cell)
    book.close()
    return stream.getvalue()


DAY = dt.date

INVENTED = {
    "german price sheet with sums and power in watts": Invented(
        "Angebot_4711.xlsx",
        {
            "Angebot": """
Muster Rechentechnik GmbH
Angebot 4711 vom 02.11.2026, gültig bis 31.01.2027

Pos. | Artikel | Beschreibung | Kerne | RAM (GB) | Leistung idle (W) | Leistung max. (W) | Menge | EP netto (EUR) | GP netto (EUR)
1 | RX-256 | 2x 128 Kerne, luftgekühlt | 256 | 768 | 210 | 1250 | 120 | 21450 | 2574000
2 | RX-192F | 2x 96 Kerne, hoher Takt | 192 | 768 | 190 | 1050 | 40 | 23900 | 956000
Zwischensumme | | | | | | | | | 3530000
zzgl. 19 % MwSt. | | | | | | | | | 670700
Gesamt brutto | | | | | | | | | 4200700
Lieferzeit ca. 14 Wochen nach Auftragseingang.
"""
        },
        "Muster Rechentechnik GmbH",
        "EUR",
        {
            "RX-256": {
                "price": 21450,
                "idle_w": 210,
                "peak_w": 1250,
                "cores": 256,
                "memory_gb": 768,
                "as_bid_quantity": 120,
            },
            "RX-192F": {
                "price": 23900,
                "idle_w": 190,
                "peak_w": 1050,
                "cores": 192,
                "memory_gb": 768,
                "as_bid_quantity": 40,
            },
        },
    ),
    "english csv with units in cells": Invented(
        "granite-quote.csv",
        {
            "": """Granite Peak Systems Inc.;;;;;;;
Budgetary quotation GP-2026-88;;;;;;;
;;;;;;;
Line;Server;Unit list price;Typical idle draw;Max draw;DRAM per node;Ship in;Price holds until
1;GP-9000;$24,500.00;310 W;1,480 W;1.5 TB;18 weeks;31 March 2027
2;GP-7000;$17,250.00;260 W;980 W;768 GB;12 weeks;31 March 2027
;Total;$41,750.00;;;;;
Prices exclude sales tax.;;;;;;;
"""
        },
        "Granite Peak Systems Inc.",
        "USD",
        {
            "GP-9000": {
                "price": 24500,
                "idle_w": 310,
                "peak_w": 1480,
                "memory_gb": 1500,
                "lead_weeks": 18,
                "valid_until": DAY(2027, 3, 31),
            },
            "GP-7000": {
                "price": 17250,
                "idle_w": 260,
                "peak_w": 980,
                "memory_gb": 768,
                "lead_weeks": 12,
                "valid_until": DAY(2027, 3, 31),
            },
        },
    ),
    "french, power in kilowatts": Invented(
        "devis-armorique.xlsx",
        {
            "Devis": """
ARMORIQUE CALCUL SAS | | | | |
Devis n° 2026-119 - Appel d'offres calculateur | | | | |

Serveur | Coeurs / noeud | Mémoire (Go) | Conso. repos (kW) | Conso. max (kW) | PU HT (€) | Qté min. | Délai (semaines)
Lame AC-64 | 128 | 512 | 0.18 | 0.92 | 15800 | 16 | 20
Lame AC-96 | 192 | 768 | 0.21 | 1.15 | 19650 | 16 | 24
Total HT | | | | | 35450 | |
TVA 20 % en sus | | | | | | |
"""
        },
        "ARMORIQUE CALCUL SAS",
        "EUR",
        {
            "Lame-AC-64": {
                "price": 15800,
                "idle_w": 180,
                "peak_w": 920,
                "cores": 128,
                "memory_gb": 512,
                "minimum_quantity": 16,
                "lead_weeks": 20,
            },
            "Lame-AC-96": {
                "price": 19650,
                "idle_w": 210,
                "peak_w": 1150,
                "cores": 192,
                "memory_gb": 768,
                "minimum_quantity": 16,
                "lead_weeks": 24,
            },
        },
    ),
    "one column per node type": Invented(
        "Solaris_comparison.xlsx",
        {
            "Comparison": """
Solace Computing Ltd - response to RFP 26/7

 | Thin node | Fat node | GPU node
CPU | 2x 96c | 2x 96c | 1x 64c
Physical cores | 192 | 192 | 64
Installed memory [GB] | 384 | 1536 | 512
Idle [W] | 180 | 240 | 620
Max. power [W] | 1040 | 1180 | 3600
Number offered | 300 | 20 | 24
Price per node, GBP ex VAT | 16400 | 24100 | 121000
Delivery (weeks) | 16 | 16 | 30
"""
        },
        "Solace Computing Ltd",
        "GBP",
        {
            "Thin-node": {
                "price": 16400,
                "idle_w": 180,
                "peak_w": 1040,
                "cores": 192,
                "memory_gb": 384,
                "as_bid_quantity": 300,
                "lead_weeks": 16,
            },
            "Fat-node": {
                "price": 24100,
                "idle_w": 240,
                "peak_w": 1180,
                "cores": 192,
                "memory_gb": 1536,
                "as_bid_quantity": 20,
                "lead_weeks": 16,
            },
            "GPU-node": {
                "price": 121000,
                "idle_w": 620,
                "peak_w": 3600,
                "cores": 64,
                "memory_gb": 512,
                "as_bid_quantity": 24,
                "lead_weeks": 30,
            },
        },
    ),
    "price and data sheets joined by a part number": Invented(
        "Ostwind_Preise.xlsx",
        {
            "Preisliste": """
Ostwind Systemhaus AG

Best.-Nr. | Produkt | Listenpreis EUR | Lieferzeit (Wochen)
OW-1001 | Ostwind N2 | 18750.5 | 16
OW-1002 | Ostwind N4 | 31200 | 20
OW-9000 | Switch 64 Port | 36000 | 12
""",
            "Datenblatt": """
Technische Angaben

Bestellnr. | Sockel | Kerne gesamt | Hauptspeicher [GB] | Leerlaufverbrauch [W] | Verbrauch max. [W]
OW-1001 | 2 | 192 | 768 | 200 | 1060
OW-1002 | 4 | 384 | 1536 | 390 | 2050
""",
        },
        "Ostwind Systemhaus AG",
        "EUR",
        {
            "Ostwind-N2": {
                "price": 18750.5,
                "idle_w": 200,
                "peak_w": 1060,
                "cores": 192,
                "sockets": 2,
                "memory_gb": 768,
                "lead_weeks": 16,
            },
            "Ostwind-N4": {
                "price": 31200,
                "idle_w": 390,
                "peak_w": 2050,
                "cores": 384,
                "sockets": 4,
                "memory_gb": 1536,
                "lead_weeks": 20,
            },
        },
    ),
    "spanish csv with decimal commas": Invented(
        "oferta_duero.csv",
        {
            "": """Duero Computación S.A.;;;;;;
Oferta técnica y económica;;;;;;
Modelo;Precio ud. (EUR);Consumo mínimo (W);Consumo pico (W);Memoria RAM (GB);Uds. ofertadas;Refrig.
DC-200;19.450,00;175;990;512;64;aire
DC-400;27.900,50;240;1.420;1.024;32;líquida
TOTAL;47.350,50;;;;96;
Los precios no incluyen IVA;;;;;;
"""
        },
        "Duero Computación S.A.",
        "EUR",
        {
            "DC-200": {
                "price": 19450,
                "idle_w": 175,
                "peak_w": 990,
                "memory_gb": 512,
                "as_bid_quantity": 64,
                "cooling": "air",
            },
            "DC-400": {
                "price": 27900.5,
                "idle_w": 240,
                "peak_w": 1420,
                "memory_gb": 1024,
                "as_bid_quantity": 32,
                "cooling": "liquid",
            },
        },
    ),
    "headings over two rows": Invented(
        "tender-figures.xlsx",
        {
            "Figures": """
Harbour HPC BV | | | | | | |
Node | Performance | | Power | | Commercial |
 | Cores | Memory [GB] | Idle [W] | Max [W] | Unit price [EUR] | Lead time [weeks]
HB-1 | 128 | 512 | 150 | 800 | 14200 | 10
HB-2 | 256 | 768 | 220 | 1300 | 22800 | 14
"""
        },
        "Harbour HPC BV",
        "EUR",
        {
            "HB-1": {
                "price": 14200,
                "idle_w": 150,
                "peak_w": 800,
                "cores": 128,
                "memory_gb": 512,
                "lead_weeks": 10,
            },
            "HB-2": {
                "price": 22800,
                "idle_w": 220,
                "peak_w": 1300,
                "cores": 256,
                "memory_gb": 768,
                "lead_weeks": 14,
            },
        },
    ),
    "bill of materials": Invented(
        "bom-kestrel.xlsx",
        {
            "BoM": """
Kestrel Data Ltd
Bill of materials, prices in USD excluding tax

System | Component | Qty per node | Price each | Power idle (W) | Power max (W)
K-Node A | Server platform | 1 | 6200 | 160 | 980
 | CPU 96 cores | 2 | 5300 | |
 | DIMM 64 GB | 12 | 310 | |
K-Node B | Server platform | 1 | 7900 | 450 | 2900
 | CPU 64 cores | 1 | 4100 | |
 | Accelerator | 4 | 21500 | |
"""
        },
        "Kestrel Data Ltd",
        "USD",
        {
            "K-Node-A": {"price": 20520, "idle_w": 160, "peak_w": 980},
            "K-Node-B": {"price": 98000, "idle_w": 450, "peak_w": 2900},
        },
    ),
    "italian, gross prices": Invented(
        "Offerta-Brenta.xlsx",
        {
            "Offerta": """
Brenta Informatica S.r.l.
Prezzi IVA 22% inclusa

Articolo | Codice prodotto | N. core | RAM GB | Assorbimento minimo W | Assorbimento massimo W | Prezzo unit. € | Quantità offerta
Nodo sottile | BR-10 | 128 | 256 | 140 | 760 | 15250 | 100
Nodo denso | BR-20 | 256 | 768 | 215 | 1240 | 24400 | 50
"""
        },
        "Brenta Informatica S.r.l.",
        "EUR",
        {
            "Nodo-sottile": {
                "price": 12500,
                "idle_w": 140,
                "peak_w": 760,
                "cores": 128,
                "memory_gb": 256,
                "as_bid_quantity": 100,
            },
            "Nodo-denso": {
                "price": 20000,
                "idle_w": 215,
                "peak_w": 1240,
                "cores": 256,
                "memory_gb": 768,
                "as_bid_quantity": 50,
            },
        },
    ),
    "dutch, price in thousands and discounts": Invented(
        "aanbieding.xlsx",
        {
            "Aanbieding": """
Maasvlakte Rekencentra B.V.

Type | Aantal CPU | Kernen totaal | Intern geheugen (GB) | Vermogen idle (kW) | Vermogen max (kW) | Prijs p/st [kEUR] | Levertijd (weken) | Korting
MV-S | 2 | 128 | 512 | 0.15 | 0.85 | 16.25 | 12 | vanaf 100: 4 %
MV-L | 2 | 256 | 1024 | 0.22 | 1.3 | 25.4 | 15 | vanaf 50: 3 %; vanaf 150: 6 %
"""
        },
        "Maasvlakte Rekencentra B.V.",
        "EUR",
        {
            "MV-S": {
                "price": 16250,
                "idle_w": 150,
                "peak_w": 850,
                "cores": 128,
                "sockets": 2,
                "memory_gb": 512,
                "lead_weeks": 12,
                "discounts": [(100, 0.04)],
            },
            "MV-L": {
                "price": 25400,
                "idle_w": 220,
                "peak_w": 1300,
                "cores": 256,
                "sockets": 2,
                "memory_gb": 1024,
                "lead_weeks": 15,
                "discounts": [(50, 0.03), (150, 0.06)],
            },
        },
    ),
    "english, several vendors in one sheet": Invented(
        "all-offers.csv",
        {
            "": """Bidder,System offered,Sockets,Cores/node,Memory/node (GB),Idle (W),Full load (W),Cost per node (EUR),Nodes,Cooling method
Alpine,A-10,2,192,768,200,1050,21000,100,Direct liquid cooling
Alpine,A-20,1,64,512,600,3500,118000,12,Direct liquid cooling
Borealis,B-1,2,128,512,170,860,15400,200,Air cooled
"""
        },
        "",
        "EUR",
        {
            "A-10": {
                "price": 21000,
                "idle_w": 200,
                "peak_w": 1050,
                "cores": 192,
                "sockets": 2,
                "memory_gb": 768,
                "as_bid_quantity": 100,
                "cooling": "liquid",
                "vendor": "Alpine",
            },
            "A-20": {
                "price": 118000,
                "idle_w": 600,
                "peak_w": 3500,
                "cores": 64,
                "sockets": 1,
                "memory_gb": 512,
                "as_bid_quantity": 12,
                "cooling": "liquid",
                "vendor": "Alpine",
            },
            "B-1": {
                "price": 15400,
                "idle_w": 170,
                "peak_w": 860,
                "cores": 128,
                "sockets": 2,
                "memory_gb": 512,
                "as_bid_quantity": 200,
                "cooling": "air",
                "vendor": "Borealis",
            },
        },
    ),
    "german, chassis of four nodes": Invented(
        "Angebot-Hallig.xlsx",
        {
            "Preise": """
Hallig Computer GmbH
Preise je Chassis, netto in EUR

Bezeichnung | Knoten pro Chassis | Preis je Chassis | Leerlauf Chassis [W] | Maximum Chassis [W] | Verfügbar ab
H4-Quad 128 | 4 | 64000 | 640 | 3600 | 
H4-Quad 192 | 4 | 81200 | 800 | 4400 | 
"""
        },
        "Hallig Computer GmbH",
        "EUR",
        {
            "H4-Quad-128": {"price": 16000, "idle_w": 160, "peak_w": 900},
            "H4-Quad-192": {"price": 20300, "idle_w": 200, "peak_w": 1100},
        },
    ),
    "english with a discount per column": Invented(
        "Tarn_price_list.xlsx",
        {
            "Price list": """
Tarn Valley Servers PLC
List prices in pounds sterling, exclusive of VAT

SKU | Platform | List price (GBP) | from 50 units [%] | from 200 units [%] | Idle power (W) | Power at 100 % load (W) | Memory size (GB) | Lead time (weeks)
TV-01 | Tarn 2U | 19995 | 4 | 9 | 185 | 1010 | 512 | 9
TV-02 | Tarn 2U max | 26750 | 5 | 11 | 230 | 1390 | 1024 | 11
"""
        },
        "Tarn Valley Servers PLC",
        "GBP",
        {
            "Tarn-2U": {
                "price": 19995,
                "idle_w": 185,
                "peak_w": 1010,
                "memory_gb": 512,
                "lead_weeks": 9,
                "discounts": [(50, 0.04), (200, 0.09)],
            },
            "Tarn-2U-max": {
                "price": 26750,
                "idle_w": 230,
                "peak_w": 1390,
                "memory_gb": 1024,
                "lead_weeks": 11,
                "discounts": [(50, 0.05), (200, 0.11)],
            },
        },
    ),
    "french, a sheet of prices and a transposed sheet of data": Invented(
        "reponse-cevenol.xlsx",
        {
            "Bordereau": """
Cévenol Serveurs SARL
Bordereau des prix, hors taxes

Référence | Libellé | Prix unitaire (€ HT) | Quantité proposée
CV-A | Noeud standard | 17300 | 150
CV-B | Noeud mémoire | 25800 | 30
""",
            "Caractéristiques": """
Référence | CV-A | CV-B
Nombre de cœurs | 192 | 192
Mémoire (Go) | 384 | 1536
Puissance à vide (W) | 185 | 235
Puissance maximale (W) | 1020 | 1160
""",
        },
        "Cévenol Serveurs SARL",
        "EUR",
        {
            "Noeud-standard": {
                "price": 17300,
                "idle_w": 185,
                "peak_w": 1020,
                "cores": 192,
                "memory_gb": 384,
                "as_bid_quantity": 150,
            },
            "Noeud-m-moire": {
                "price": 25800,
                "idle_w": 235,
                "peak_w": 1160,
                "cores": 192,
                "memory_gb": 1536,
                "as_bid_quantity": 30,
            },
        },
    ),
}

HARDER = {
    "two tables in a sheet, german": Invented(
        "Preisblatt_Nordlicht.xlsx",
        {
            "Blatt1": """
Nordlicht HPC GmbH - Preisblatt zur Ausschreibung 2026/4
Preise in EUR zzgl. gesetzl. MwSt.

CPU-Knoten | Prozessoren | Kerne ges. | RAM [GB] | Stromaufnahme Ruhe [W] | Stromaufnahme max. [W] | Preis/Knoten [EUR]
NL-C1 | 2 | 192 | 768 | 195 | 1040 | 20400
NL-C2 | 2 | 256 | 768 | 215 | 1260 | 22900

GPU-Knoten | Prozessoren | Kerne ges. | RAM [GB] | Stromaufnahme Ruhe [W] | Stromaufnahme max. [W] | Preis/Knoten [EUR]
NL-G4 | 1 | 64 | 512 | 610 | 3550 | 119000
"""
        },
        "Nordlicht HPC GmbH",
        "EUR",
        {
            "NL-C1": {
                "price": 20400,
                "idle_w": 195,
                "peak_w": 1040,
                "cores": 192,
                "sockets": 2,
                "memory_gb": 768,
            },
            "NL-C2": {
                "price": 22900,
                "idle_w": 215,
                "peak_w": 1260,
                "cores": 256,
                "sockets": 2,
                "memory_gb": 768,
            },
            "NL-G4": {
                "price": 119000,
                "idle_w": 610,
                "peak_w": 3550,
                "cores": 64,
                "sockets": 1,
                "memory_gb": 512,
            },
        },
    ),
    "swiss francs with apostrophes": Invented(
        "Offerte_Gotthard.csv",
        {
            "": """Gotthard Rechner AG;;;;;;
Offerte 26-1190;;;;;;
Typ;Anzahl;Preis pro Stück CHF exkl. MWST;Leistungsaufnahme Leerlauf W;Leistungsaufnahme Volllast W;Hauptspeicher GB;Lieferfrist
GR-10;80;21'450.00;205;1'130;768;14 Wochen
GR-20;24;33'900.50;260;1'610;1'536;18 Wochen
Total;104;;;;;
"""
        },
        "Gotthard Rechner AG",
        "CHF",
        {
            "GR-10": {
                "price": 21450,
                "idle_w": 205,
                "peak_w": 1130,
                "memory_gb": 768,
                "as_bid_quantity": 80,
                "lead_weeks": 14,
            },
            "GR-20": {
                "price": 33900.5,
                "idle_w": 260,
                "peak_w": 1610,
                "memory_gb": 1536,
                "as_bid_quantity": 24,
                "lead_weeks": 18,
            },
        },
    ),
    "english with misleading columns": Invented(
        "sabre-response.xlsx",
        {
            "Pricing": """
Sabre Technical Computing LLC
All amounts in US dollars, taxes not included

Item | Model | CPU model | CPUs | Cores per CPU | Total cores | TDP per CPU (W) | PSU rating (W) | Idle power (W) | Max. measured power (W) | DRAM (GB) | GPU memory (GB) | SSD (GB) | Unit price | Qty | Extended price
1 | ST-2100 | 96-core | 2 | 96 | 192 | 400 | 2400 | 188 | 1075 | 768 | | 1920 | 20850 | 60 | 1251000
2 | ST-4400 | 64-core | 1 | 64 | 64 | 360 | 5400 | 580 | 3480 | 512 | 320 | 3840 | 117500 | 8 | 940000
 | | | | | | | | | | | | | | Subtotal | 2191000
"""
        },
        "Sabre Technical Computing LLC",
        "USD",
        {
            "ST-2100": {
                "price": 20850,
                "idle_w": 188,
                "peak_w": 1075,
                "cores": 192,
                "sockets": 2,
                "memory_gb": 768,
                "as_bid_quantity": 60,
            },
            "ST-4400": {
                "price": 117500,
                "idle_w": 580,
                "peak_w": 3480,
                "cores": 64,
                "sockets": 1,
                "memory_gb": 512,
                "as_bid_quantity": 8,
            },
        },
    ),
    "unit row and price in thousands": Invented(
        "kompakt.xlsx",
        {
            "Kalkulation": """
Kompaktrechner Süd GmbH
Kalkulation

Knotentyp | Stk. | Nettopreis | Leerlauf | Volllast | Speicherausbau | Speicherbandbreite
 | | TEUR | kW | kW | TB | GB/s
KR-1 | 100 | 19.8 | 0.19 | 1.02 | 0.768 | 922
KR-2 | 20 | 28.4 | 0.24 | 1.31 | 1.536 | 1228
"""
        },
        "Kompaktrechner Süd GmbH",
        "EUR",
        {
            "KR-1": {
                "price": 19800,
                "idle_w": 190,
                "peak_w": 1020,
                "memory_gb": 768,
                "bandwidth_gb_s": 922,
                "as_bid_quantity": 100,
            },
            "KR-2": {
                "price": 28400,
                "idle_w": 240,
                "peak_w": 1310,
                "memory_gb": 1536,
                "bandwidth_gb_s": 1228,
                "as_bid_quantity": 20,
            },
        },
    ),
    "french transposed with groups": Invented(
        "fiche-comparative.xlsx",
        {
            "Comparatif": """
Lutèce Supercalcul SAS
Fiche comparative des nœuds proposés | | |
 | Nœud A | Nœud B
Processeur | |
Nombre de sockets | 2 | 1
Cœurs (total) | 192 | 64
Mémoire | |
Capacité RAM (Go) | 768 | 512
Bande passante (Go/s) | 922 | 461
Énergie | |
Consommation au repos (W) | 198 | 605
Consommation maximale (W) | 1060 | 3520
Commercial | |
Prix unitaire € HT | 20950 | 118200
Délai de livraison (semaines) | 18 | 30
"""
        },
        "Lutèce Supercalcul SAS",
        "EUR",
        {
            "N-ud-A": {
                "price": 20950,
                "idle_w": 198,
                "peak_w": 1060,
                "cores": 192,
                "sockets": 2,
                "memory_gb": 768,
                "bandwidth_gb_s": 922,
                "lead_weeks": 18,
            },
            "N-ud-B": {
                "price": 118200,
                "idle_w": 605,
                "peak_w": 3520,
                "cores": 64,
                "sockets": 1,
                "memory_gb": 512,
                "bandwidth_gb_s": 461,
                "lead_weeks": 30,
            },
        },
    ),
    "accessories and services in the price list": Invented(
        "Prislista.csv",
        {
            "": """Tower & Rack Ltd,,,,,,
Price list for tender HPC-26 (EUR excl. VAT),,,,,,
Code,Description,Unit price EUR,Power idle W,Power max W,Cores,Memory GB
TR100,Compute node TR-100,18400,170,980,128,512
TR200,Large memory node TR-200,26900,230,1190,128,2048
SW64,64 port switch,34000,,,,
RK42,Rack 42U,2100,,,,
INST,Installation and burn-in,25000,,,,
MNT5,Maintenance five years,310000,,,,
"""
        },
        "Tower & Rack Ltd",
        "EUR",
        {
            "Compute-node-TR-100": {
                "price": 18400,
                "idle_w": 170,
                "peak_w": 980,
                "cores": 128,
                "memory_gb": 512,
            },
            "Large-memory-node-TR-200": {
                "price": 26900,
                "idle_w": 230,
                "peak_w": 1190,
                "cores": 128,
                "memory_gb": 2048,
            },
        },
    ),
    "spanish, joined by the name, totals on both": Invented(
        "licitacion-turia.xlsx",
        {
            "Portada": """
Turia Sistemas S.L.
Licitación 2026/33
""",
            "Precios": """
Concepto | Cantidad | Precio unitario sin IVA (EUR) | Importe (EUR)
Nodo estándar T1 | 90 | 16800 | 1512000
Nodo denso T2 | 30 | 24100 | 723000
Total | 120 | | 2235000
""",
            "Ficha técnica": """
Concepto | Procesadores | Núcleos totales | RAM (GB) | Consumo en reposo (W) | Consumo a plena carga (W)
Nodo estándar T1 | 2 | 128 | 512 | 160 | 870
Nodo denso T2 | 2 | 256 | 768 | 220 | 1280
""",
        },
        "Turia Sistemas S.L.",
        "EUR",
        {
            "Nodo-est-ndar-T1": {
                "price": 16800,
                "idle_w": 160,
                "peak_w": 870,
                "cores": 128,
                "sockets": 2,
                "memory_gb": 512,
                "as_bid_quantity": 90,
            },
            "Nodo-denso-T2": {
                "price": 24100,
                "idle_w": 220,
                "peak_w": 1280,
                "cores": 256,
                "sockets": 2,
                "memory_gb": 768,
                "as_bid_quantity": 30,
            },
        },
    ),
    "dutch bill of materials with totals per line": Invented(
        "stuklijst.xlsx",
        {
            "Stuklijst": """
Delta Rekensystemen B.V.
Prijzen in euro, exclusief btw

Nodetype | Onderdeel | Aantal per node | Stukprijs | Regeltotaal | Vermogen idle (W) | Vermogen max (W)
D-100 | Chassis en moederbord | 1 | 4200 | 4200 | 165 | 940
D-100 | Processor 64 kernen | 2 | 4400 | 8800 | |
D-100 | Geheugenmodule 32 GB | 16 | 180 | 2880 | |
D-400 | Chassis en moederbord | 1 | 6100 | 6100 | 560 | 3390
D-400 | Processor 64 kernen | 1 | 4400 | 4400 | |
D-400 | GPU-kaart | 4 | 24500 | 98000 | |
"""
        },
        "Delta Rekensystemen B.V.",
        "EUR",
        {
            "D-100": {"price": 15880, "idle_w": 165, "peak_w": 940},
            "D-400": {"price": 108500, "idle_w": 560, "peak_w": 3390},
        },
    ),
    "american dates and money in texts": Invented(
        "Quote_Mesa.csv",
        {
            "": """Quote #Q-88213 from Mesa Verde HPC Corp.\t\t\t\t\t
\t\t\t\t\t
Product\tPrice ea.\tAvg idle watts\tPeak watts\tQuote expires\tLead time (wks)
MV-16\t$18,750\t175\t1,010\t12/31/2026\t10
MV-32\t$29,990\t240\t1,560\t12/31/2026\t12
"""
        },
        "Mesa Verde HPC Corp.",
        "USD",
        {
            "MV-16": {
                "price": 18750,
                "idle_w": 175,
                "peak_w": 1010,
                "lead_weeks": 10,
                "valid_until": DAY(2026, 12, 31),
            },
            "MV-32": {
                "price": 29990,
                "idle_w": 240,
                "peak_w": 1560,
                "lead_weeks": 12,
                "valid_until": DAY(2026, 12, 31),
            },
        },
    ),
    "italian with discounts by column and a note on prices": Invented(
        "listino_2026.xlsx",
        {
            "Listino": """
Ticino Calcolo S.p.A.
Listino riservato - validità 31/03/2027 - consegna 16 settimane

Cod. | Nodo | Prezzo listino € | Sconto da 50 pz. (%) | Sconto da 200 pz. (%) | Core tot. | Mem. (GB) | Pot. minima (W) | Pot. massima (W) | Raffredd.
T1 | Ticino 128 | 16900 | 3 | 7 | 128 | 512 | 158 | 890 | ad aria
T2 | Ticino 256 | 24800 | 4 | 9 | 256 | 768 | 212 | 1255 | a liquido
"""
        },
        "Ticino Calcolo S.p.A.",
        "EUR",
        {
            "Ticino-128": {
                "price": 16900,
                "idle_w": 158,
                "peak_w": 890,
                "cores": 128,
                "memory_gb": 512,
                "cooling": "air",
                "lead_weeks": 16,
                "valid_until": DAY(2027, 3, 31),
                "discounts": [(50, 0.03), (200, 0.07)],
            },
            "Ticino-256": {
                "price": 24800,
                "idle_w": 212,
                "peak_w": 1255,
                "cores": 256,
                "memory_gb": 768,
                "cooling": "liquid",
                "lead_weeks": 16,
                "valid_until": DAY(2027, 3, 31),
                "discounts": [(50, 0.04), (200, 0.09)],
            },
        },
    ),
}
"""Written after the first run of those above, before they were tried."""
