"""From TOML files to scenarios, with every fault of a file found in one run and placed by line and column.

``loader`` reads scenarios, ``data`` the files of rule systems, ``resources`` knows where shipped files lie,
``schema`` describes the formats.  Inside: ``text`` and ``syntax`` read, ``convert`` and ``repair`` make typed
structs, ``faults`` collects what is wrong, ``locate`` places it, ``words`` says it.
"""
