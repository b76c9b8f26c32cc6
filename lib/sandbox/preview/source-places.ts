import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { RunPlace } from '#lib/sandbox/protocol.ts';
import type { SourcePlace } from '#lib/tools/capabilities/preview.ts';
import { type PageScript, scriptToken, sourcePath } from './built-page.ts';

/**
 * Returns the workspace position for the first of `places` that is in one of `scripts` and has a known source; undefined if
 * there is none. A script is identified by its name, or by its token if its text is in the page's HTML.
 */
export function sourcePlace(scripts: readonly PageScript[], places: readonly RunPlace[]): SourcePlace | undefined {
  for (const place of places) {
    const script = scripts.find(({ name }) => name === place.script || scriptToken(name) === place.script);
    if (script === undefined) continue;
    const { origin } = script;
    if (origin.type === 'file') {
      const { path, line, column } = origin;
      // Only the script's first line is shifted to the right.
      return { path, line: line + place.line - 1, column: place.line === 1 ? column + place.column - 1 : place.column };
    }
    const found = originalPositionFor(traceMap(origin.map), {
      line: place.line,
      column: Math.max(0, place.column - 1),
    });
    if (found.source === null) continue;
    return { path: sourcePath(found.source), line: found.line, column: found.column + 1 };
  }
  return undefined;
}

let newest: { text: string; map: TraceMap } | undefined;

/** Parses a source map. Keeps the newest one, because errors often come in groups. */
function traceMap(text: string): TraceMap {
  if (newest?.text !== text) newest = { text, map: new TraceMap(text) };
  return newest.map;
}
