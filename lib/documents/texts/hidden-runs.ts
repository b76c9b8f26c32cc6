import { Parser } from 'htmlparser2';
import { type Attributes, localName } from '../xml/read-xml.ts';

/** Checks whether an element in the properties of a run (a stretch of text in a Word document) hides the run's text. */
export const hidesRun = (name: string, attributes: Attributes): boolean =>
  name === 'vanish' && !/^(?:0|false|off)$/.test(attributes['w:val'] ?? '');

/** Returns an XML file of a Word document without its runs (stretches of text) that are formatted as hidden. */
export function withoutHiddenRuns(xml: string): string {
  const runs: { start: number; isHidden: boolean }[] = [];
  const hidden: { start: number; end: number }[] = [];
  const path: string[] = [];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = localName(tag);
        const run = runs.at(-1);
        if (name === 'r') runs.push({ start: parser.startIndex, isHidden: false });
        // The properties of a paragraph hide only its mark.
        else if (run !== undefined && hidesRun(name, attributes) && path.slice(-2).join('/') === 'r/rPr')
          run.isHidden = true;
        path.push(name);
      },
      onclosetag(tag) {
        path.pop();
        if (localName(tag) !== 'r') return;
        const run = runs.pop();
        if (run?.isHidden === true) hidden.push({ start: run.start, end: parser.endIndex + 1 });
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const shown: string[] = [];
  let at = 0;
  for (const { start, end } of hidden.sort((one, other) => one.start - other.start)) {
    // Those inside of others are gone with them.
    if (start < at) continue;
    shown.push(xml.slice(at, start));
    at = end;
  }
  return [...shown, xml.slice(at)].join('');
}
