"""Acting safely: an order is checked against the screen as it is now, done, and looked at again."""

from __future__ import annotations

from fingerpost.app.acting.actor import Actor
from fingerpost.app.acting.confirmation import needs_confirmation
from fingerpost.app.acting.order import Order, Outcome

__all__ = ["Actor", "Order", "Outcome", "needs_confirmation"]
