/**
 * Centers the names of states in their boxes in the SVG of a state diagram: Mermaid 12 writes short names at the left of the
 * box if labels are not HTML. Returns other SVGs unchanged.
 */
export function centerStates(svg: string): string {
  if (!svg.includes('statediagram-state')) return svg;
  const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml');
  for (const label of drawing.querySelectorAll('.statediagram-state > .label')) {
    const texts = label.querySelectorAll('text');
    // A label begins at its left, and the middle of its box is at 0.
    const left = Number(/^translate\((-[\d.]+)/.exec(label.getAttribute('transform') ?? '')?.[1]);
    if (texts.length !== 1 || Number.isNaN(left)) continue;
    texts[0]?.setAttribute('text-anchor', 'middle');
    texts[0]?.setAttribute('transform', `translate(${-left}, 0)`);
  }
  return new XMLSerializer().serializeToString(drawing);
}
