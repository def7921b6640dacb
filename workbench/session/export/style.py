"""Style sheet of a report: light and dark by the system, on screen and on paper."""

STYLE = """
:root { color-scheme: light dark; --ground: #fbfbfa; --text: #1f2328; --muted: #59636e; --line: #d1d9e0;
  --accent: #2f6fde }
@media (prefers-color-scheme: dark) {
  :root { --ground: #15171b; --text: #e6e8eb; --muted: #9aa4ae; --line: #30363d; --accent: #7aa8f8 } }
body { background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; max-width: 760px;
  margin: 32px auto; padding: 0 16px }
h1 { font-size: 24px; margin: 0 0 4px }
h2 { font-size: 17px; margin: 32px 0 8px }
h3 { font-size: 15px; margin: 8px 0 2px }
p { margin: 8px 0 }
.m { color: var(--muted) }
figure { margin: 0 }
table { border-collapse: collapse; width: 100%; font-size: 14px }
td, th { border-bottom: 1px solid var(--line); padding: 4px 12px 4px 0; text-align: left; vertical-align: top;
  overflow-wrap: anywhere }
th { color: var(--muted); font-weight: 500 }
td:first-child { min-width: 10.5em }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
svg { width: 100%; height: auto }
svg text { fill: var(--muted); font: 12px system-ui, sans-serif }
.grid { stroke: var(--line) }
.curve { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round }
.words { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 8px 24px }
.bars { list-style: none; margin: 0; padding: 0; font-size: 13px }
.bars li { display: flex; gap: 8px; align-items: center }
.w { flex: 1; overflow-wrap: anywhere }
.b { width: 72px; height: 6px; background: var(--line) }
.b i { display: block; height: 6px; background: var(--accent) }
@media print { body { margin: 0; max-width: none } }
"""
