"""Figures with axes: pyqtgraph’s scene, view boxes and axes, with painting of our own.

A figure is a subclass of ``FigureView`` (``view.py``), or of ``PointView`` (``point_view.py``) if
it consists of points that can be read off and picked. It defines

- ``extent(pane)``: the extent of all data, in the units of the axes, or None; ``frame.interval``
  derives it from values;
- ``draw(painter, frame, colours)``: the drawing, for the screen and for files. ``frame.x`` and
  ``frame.y`` turn values into pixels of the figure; ``frame.area`` is the pane, ``frame.room`` the
  whole figure, and nothing clips the painter. Pens are ordinary ones, in pixels;
- optionally: ``draw_around`` for parts that belong to all panes, ``draw_overlay`` for marks that
  follow the pointer, ``margins`` (one pane) or ``areas`` (several) for the layout, ``point``,
  ``click`` and ``walk`` for reading off, picking and the arrow keys.

After each change of its data, it sets the titles of its axes (``self.pane.left.title``), calls
``offer_log`` for axes that can be logarithmic, and calls ``update_figure(kind)``.

A pane (``pane.py``) has its own range and axes: pass several to ``FigureView``, with ``left=False``
or ``bottom=False`` to leave out an axis, ``locked=True`` for equal units along both,
``fixed_y=True`` for zooming along x only. ``link`` links panes of one figure, of which keys move
the ``leading`` ones; ``follow_x`` links figures. For other ticks or labels, subclass ``Axis``
(``axis.py``). ``headings`` are lines above the figure in files, ``file_size`` is their size.

Input is the same in every figure: the wheel zooms at the pointer, over an axis only along that
axis; a drag pans, on an axis only along that axis; a drag with Shift zooms into a box; a double
click, Home or 0 shows everything; + and − zoom; arrow keys move between points, with Ctrl they pan.
The menu (``menu.py``) offers the commands of ``ui/commands/groups/figure.py`` and those of
``export``, which a panel sets. Files and the clipboard contain the visible part.

The figure is painted into one cached layer, rings and readouts into a second, so that little is
painted when the pointer moves. Files are painted by the same methods but not from the scene: a
cached layer would become an image in a PDF.
"""
