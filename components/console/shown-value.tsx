'use client';

import { type ReactNode, useId, useState } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Disclosure } from '#components/ui/disclosure.tsx';
import {
  type ConsoleLine,
  type ElementDrawing,
  escapeInvisible,
  type RenderedObject,
  type RenderedValue,
  valueText,
} from '#lib/tools/capabilities/rendered-value.ts';
import { valueColor } from './value-color.ts';

/** Maximum length of an object's summary on its line, in characters. */
const SUMMARY_CHARACTERS = 120;

const LEVELS: Record<ConsoleLine['level'], string> = {
  log: '',
  info: '',
  debug: 'text-muted',
  warn: 'text-waiting',
  error: 'text-failed',
};

/** The values printed by one `console` call. `name`: the prefix of the keys that keep which objects the user has opened. */
export function PrintedLine({ name, line }: { name: string; line: ConsoleLine }) {
  return (
    <div className={`flex flex-wrap gap-x-2 border-line border-b px-3 py-1 ${LEVELS[line.level]}`}>
      {line.values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: printed values never change
        <ShownValue key={index} name={`${name}/${index}`} value={value} />
      ))}
    </div>
  );
}

interface ShownValueProps {
  name: string;
  value: RenderedValue;
  /** Whether the value is an entry of an object. */
  isPart?: boolean;
}

/**
 * A value from the sandbox. Objects can be expanded, a canvas is an image, and a lone string is shown as text. `isPart`:
 * whether the value is inside an object, so that a string is colored as code.
 */
export function ShownValue({ name, value, isPart = false }: ShownValueProps): ReactNode {
  if (value.type === 'image') return <Picture value={value} />;
  if (value.type === 'html' && value.drawing !== undefined) return <Drawing value={value} drawing={value.drawing} />;
  if (value.type === 'object' && value.entries.length > 0) return <ShownObject name={name} value={value} />;
  const color = valueColor(value, isPart);
  return <span className={`min-w-0 whitespace-pre-wrap break-words ${color}`}>{valueText(value)}</span>;
}

function Picture({ value: { url, width, height } }: { value: Extract<RenderedValue, { type: 'image' }> }) {
  const t = useAllMessages();
  // biome-ignore lint/performance/noImgElement: it is a data: URL; there is nothing to optimize
  return <img src={url} alt={t.tools.canvas(width, height)} className="my-1 max-w-full border border-line bg-white" />;
}

/** The width, in CSS pixels, of the drawing of an element that had no layout on its page. */
const DRAWING_WIDTH = 480;
/** The height, in CSS pixels, of the drawing of an element that had no layout on its page. */
const DRAWING_HEIGHT = 160;

/** An element as an image above its markup. Nothing in the image runs or loads. */
function Drawing({ value, drawing: { xml, width, height } }: { value: RenderedValue; drawing: ElementDrawing }) {
  const t = useAllMessages();
  const [failed, setFailed] = useState(false);
  const svg = xml.startsWith('<svg')
    ? xml
    : `<svg xmlns="http://www.w3.org/2000/svg" width="${width || DRAWING_WIDTH}" height="${height || DRAWING_HEIGHT}"><foreignObject width="100%" height="100%">${xml}</foreignObject></svg>`;
  const markup = <span className="min-w-0 whitespace-pre-wrap break-words">{valueText(value)}</span>;
  if (failed) return markup;
  return (
    <figure className="min-w-0 max-w-full">
      {/* biome-ignore lint/performance/noImgElement: it is a data: URL; there is nothing to optimize */}
      <img
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
        alt={t.tools.drawing}
        onError={() => setFailed(true)}
        className="my-1 max-h-96 max-w-full border border-line bg-white text-black"
      />
      <figcaption className="text-muted text-xs">
        <details>
          <summary>{t.tools.markup}</summary>
          {markup}
        </details>
      </figcaption>
    </figure>
  );
}

function ShownObject({ name, value }: { name: string; value: RenderedObject }) {
  const t = useAllMessages();
  const [open, setOpen] = useKeptState(name, false);
  const partsId = useId();
  const text = valueText(value);
  return (
    <div className="min-w-0 max-w-full">
      <Disclosure
        open={open}
        onOpenChange={setOpen}
        controls={partsId}
        className="min-w-0 max-w-full items-start gap-1 rounded hover:bg-hover"
        arrowClassName="mt-0.5 text-muted"
      >
        <span className="min-w-0 whitespace-pre-wrap break-words">
          {text.length > SUMMARY_CHARACTERS ? `${text.slice(0, SUMMARY_CHARACTERS)}…` : text}
        </span>
      </Disclosure>
      <ul id={partsId} hidden={!open} className="ml-2 border-line border-l pl-3">
        {open
          ? value.entries.map(([key, part], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: shown values never change
              <li key={index} className="flex min-w-0 gap-1.5">
                <span className={`shrink-0 ${key === null ? 'text-muted' : 'text-(color:--syntax-property)'}`}>
                  {key === null ? index : typeof key === 'string' ? escapeInvisible(key) : valueText(key)}:
                </span>
                <ShownValue name={`${name}/${index}`} value={part} isPart />
              </li>
            ))
          : null}
        {open && value.more > 0 ? <li className="text-muted">{t.tools.moreEntries(value.more)}</li> : null}
      </ul>
    </div>
  );
}
