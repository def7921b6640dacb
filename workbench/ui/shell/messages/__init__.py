"""Messages of the window: cards, bars, bubbles and notifications of the desktop."""
