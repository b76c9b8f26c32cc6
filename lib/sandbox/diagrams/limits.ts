/** Limits on drawing diagrams; docs/LIMITS.md lists them. */
export const DIAGRAM_LIMITS = {
  /** Characters of a diagram's source. A longer one is shown as code. */
  sourceMax: 100_000,
  /** Characters of a diagram that is drawn even where frames share the thread of the page. */
  smallMax: 3_000,
  /** The edges of a Mermaid diagram; with more, it is shown as code. */
  edgesMax: 500,
  /** The longest time for a drawing, in milliseconds. After that, its frame is closed. */
  drawMs: 15_000,
  /** The longest side of a drawing, and its largest area, in pixels. Larger drawings have a lower resolution. */
  sideMax: 8_192,
  pixelsMax: 16_000_000,
  /** Bytes of a drawing's PNG, and characters of its SVG. */
  pngMax: 20_000_000,
  svgMax: 5_000_000,
  /** Characters of a diagram's title, and of a parser's error, which may quote much of the source. */
  textMax: 10_000,
  /** Bytes of the drawings that a page keeps, so that one that scrolls into view again is there at once. */
  keptBytes: 30_000_000,
} as const;
