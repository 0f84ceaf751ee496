"""An independent referee of the company system: it keeps its own books and tells where the engine differs.

It reads the scenario's file and the data's, the orders' texts, the dice and the events; nothing here is
imported from the system, nor from the mechanics on which it is built.  ``sheet`` is the map, ``books`` what
is true of teams and platoons, ``states`` what a state must say of them.  The rules are in ``moves``,
``doubling`` and ``movement``, ``cover`` and ``fire``, ``charges`` and ``assaults``; ``turns`` is the course
of a game, and ``watching`` the referee himself.
"""
