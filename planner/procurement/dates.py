"""Days of a purchase: its delivery compared with the power, and the last day to order."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from planner.procurement.labels import label_of

if TYPE_CHECKING:
    from planner.procurement.result import ProcurementResult


def deliveries(result: ProcurementResult) -> list[tuple[str, int, dt.date]]:
    """Node types bought: name, days of delivery before power is available, and that day.

    None where a day is not known.
    """
    power = result.scenario.power
    feed = power.available_on if power else None
    if feed is None or result.plan is None:
        return []
    days = [(lot.name, result.delivered_on(lot.name)) for lot in result.plan.purchases]
    return [(name, (feed - day).days, feed) for name, day in days if day is not None]


def last_days(result: ProcurementResult) -> list[tuple[str, dt.date, bool]]:
    """Vendors of the plan with the last day to order, the first day first.

    Afterwards the quote has ended, or (``True``) delivery would be later than required.
    """
    plan, by = result.plan, result.scenario.requirements.delivered_by
    last: dict[str, tuple[dt.date, bool]] = {}
    for purchase in plan.purchases if plan else ():
        quote = result.scenario.node_type(purchase.name)
        vendor = purchase.vendor or label_of(result.problem, purchase.name)
        days = [] if quote.valid_until is None else [(quote.valid_until, False)]
        if by is not None and quote.lead_weeks is not None:
            days.append((by - dt.timedelta(weeks=quote.lead_weeks), True))
        if days:
            last[vendor] = min([*days, *([last[vendor]] if vendor in last else [])])
    ordered = sorted(last.items(), key=lambda item: item[1])
    return [(vendor, day, late) for vendor, (day, late) in ordered]
