"""A referee of platoon games that keeps its own books.

It knows a scenario's file, the data, the texts of orders and the events, and nothing of the rule system's
code: what an order must lead to is worked out from the rules a second time, event for event, and compared
with what the engine tells and with its state.  Where the two differ one of them is wrong.
"""
