import type { ElementDrawing, RenderedValue } from '#lib/tools/capabilities/rendered-value.ts';
import { DRAWING_MAX_CHARS, IMAGE_MAX_CHARS } from './limits.ts';
import { ceil, dom, stringify, toText } from './primordials.ts';

const ELEMENT_NODE = 1;

/**
 * Returns a node of a document as a value for display: a canvas as an image, an element as its markup, others as text;
 * undefined for any other object. `bounded`: returns a value as text, cut to the characters that the display still has room
 * for. `isDrawn`: whether an element also gets the XML that it can be drawn from.
 */
export function renderNode(
  object: object,
  bounded: (text: unknown) => string,
  isDrawn: boolean,
): RenderedValue | undefined {
  if (dom === undefined) return undefined;
  let type = 0;
  try {
    type = dom.nodeType(object);
  } catch {
    return undefined;
  }
  if (type !== ELEMENT_NODE)
    return { type: 'text', text: bounded(`${dom.nodeName(object)} ${stringify(toText(dom.textOf(object)))}`) };
  try {
    const width = dom.widthOf(object);
    const height = dom.heightOf(object);
    const url = dom.picture(object);
    if (url.length <= IMAGE_MAX_CHARS) return { type: 'image', url, width, height };
  } catch {
    // It is not a canvas, or it cannot be read.
  }
  const html = dom.htmlOf(object);
  const drawing = isDrawn && html.length <= DRAWING_MAX_CHARS ? drawingOf(object) : undefined;
  return { type: 'html', text: bounded(html), length: html.length, ...(drawing && { drawing }) };
}

/** An element for drawing, with its size on the page; undefined if it is too large. */
function drawingOf(element: object): ElementDrawing | undefined {
  if (dom === undefined) return undefined;
  const xml = dom.xmlOf(element as Element);
  if (xml.length > DRAWING_MAX_CHARS) return undefined;
  const box = dom.boxOf(element);
  return { xml, width: ceil(dom.boxWidth(box)), height: ceil(dom.boxHeight(box)) };
}
