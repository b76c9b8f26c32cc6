/**
 * Puts the names of a state diagram into the middle of their boxes: Mermaid 12 gives short names a box of its least width, and
 * writes them at its left if labels are not HTML. Returns other drawings as they are.
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
