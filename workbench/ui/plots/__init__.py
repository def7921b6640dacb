"""Figures with axes: pyqtgraph’s scene, view boxes and axes, with painting of our own.

A figure is a subclass of ``FigureView`` (``view.py``), or of ``PointView`` (``point_view.py``) if
it consists of points that can be read off and picked. It defines

- ``extent(pane)``: everything there is to see, in the units of the axes, or None;
  ``frame.interval`` works it out from values;
- ``draw(painter, frame, colours)``: the drawing, for the screen and for files. ``frame.x`` and
  ``frame.y`` turn values into pixels of the figure; ``frame.area`` is the pane, ``frame.room`` the
  whole figure, and nothing clips the painter. Pens are ordinary ones, in pixels;
- if it needs them: ``draw_around`` for what belongs to all panes, ``draw_overlay`` for marks that
  follow the pointer, ``margins`` (one pane) or ``areas`` (several) for the layout, ``point``,
  ``click`` and ``walk`` for reading off, picking and the arrow keys.

After each change of its data it sets the titles of its axes (``self.pane.left.title``), says by
``offer_log`` which of them can be logarithmic, and calls ``update_figure(kind)``.

A pane (``pane.py``) has its own range and axes: pass several to ``FigureView``, with ``left=False``
or ``bottom=False`` for an axis less, ``locked=True`` for equal units along both, ``fixed_y=True``
for zooming along x only. Panes of one figure are linked by ``link``, while keys move those that are
``leading``; figures are linked by ``follow_x``. Other ticks or labels are a subclass of ``Axis``
(``axis.py``). ``headings`` are lines above the figure in files, ``file_size`` is their size.

The same hands work in every figure: the wheel zooms at the pointer, over an axis that axis alone; a
drag pans, on an axis that axis alone; a drag with Shift zooms into a box; a double click, Home or 0
shows everything; + and − zoom; arrow keys walk the points, with Ctrl they pan. The menu
(``menu.py``) offers the commands of ``ui/actions/figure.py`` and those of ``export``, which a panel
sets. Files and the clipboard contain what is in view.

The figure is painted into one kept layer, rings and read-outs into a second, so that pointing
paints little. Files are painted by the same methods but not from the scene: a kept layer would
reach a PDF as an image.
"""
