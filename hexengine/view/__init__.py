"""Drawing boards: fill a ``hexengine.view.scene.Scene``, read a ``hexengine.view.theme.Theme``, then

- ``hexengine.view.style.choose_style`` says which style suits the terminal,
- ``hexengine.view.board.render`` gives a rich renderable, ``lines`` plain rows,
- ``hexengine.view.picture.to_svg`` a picture.
"""
