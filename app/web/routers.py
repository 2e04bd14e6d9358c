"""The list of routers, in the order of the pages. A new page adds one import and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.web import api, preferences
from app.web.pages import (
    comparison,
    facts,
    formulas,
    home,
    offer_edit,
    offers,
    report,
    requirement,
    sensitivity,
    service,
    sheets,
    workload,
)

if TYPE_CHECKING:
    from fastapi import APIRouter

ROUTERS: tuple[APIRouter, ...] = (
    service.router,
    api.router,
    preferences.router,
    home.router,
    sheets.router,
    offer_edit.router,
    offers.router,
    facts.router,
    workload.router,
    requirement.router,
    comparison.router,
    sensitivity.router,
    report.router,
    formulas.router,
)
