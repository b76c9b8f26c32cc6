import mermaid from 'mermaid';
import { expect, test } from 'vitest';
import { centerStates } from './center-states.ts';

/** The horizontal middle of the first element that matches, in pixels. */
function middleOf(drawing: Element, selector: string): number {
  const { left, width } = drawing.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
  return left + width / 2;
}

test('the names of states are in the middle of their boxes, whether short or of two lines', async () => {
  mermaid.initialize({ startOnLoad: false, htmlLabels: false });
  const { svg } = await mermaid.render(
    'states',
    'stateDiagram-v2\n  Still --> Moving\n  state "A name that takes two lines" as Long\n  Moving --> Long',
  );
  const drawing = document.createElement('div');
  document.body.append(drawing);
  drawing.innerHTML = centerStates(svg);
  for (const state of ['Still', 'Moving', 'Long']) {
    const box = `.node[id*="state-${state}"]`;
    const middle = middleOf(drawing, `${box} > rect`);
    expect(Math.abs(middleOf(drawing, `${box} text`) - middle), state).toBeLessThan(2);
  }
  // Others stay as they are.
  const { svg: flow } = await mermaid.render('flow', 'flowchart TD\n  A --> B');
  expect(centerStates(flow)).toBe(flow);
  expect(centerStates('<svg')).toBe('<svg');
  drawing.remove();
});
