"""An independent referee of the squad system.

It keeps books of its own on a game: from the scenario's file and the data of the system, read as plain TOML,
from the texts of the orders, and from the dice that the events tell.  Nothing here may import the rules that
it watches; a test holds that.

* ``ground`` is the map, ``forces`` are the counters, ``ledger`` is what the rules share
* the rules by subject: ``sight``, ``harm``, ``shooting``, ``marching``, ``rallying``, ``brawling``
* ``hearing`` says whether an order is legal, ``turns`` what follows by itself
* ``referee`` follows a game, and ``comparing`` says where the engine differs
* ``watching`` has the engine play games for it; ``proposals`` are orders that somebody might write, and
  ``changing`` makes scenarios that nobody wrote
"""
