import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { RunPlace } from '#lib/sandbox/protocol.ts';
import type { SourcePlace } from '#lib/tools/preview.ts';
import type { BuiltPage } from './built-page.ts';
import { scriptToken } from './built-page.ts';

/**
 * Where in the workspace a place of a page's scripts comes from; the first one that is known. A script is named, or goes by
 * its token where its text stands in the page.
 */
export function sourcePlace(page: BuiltPage, places: readonly RunPlace[]): SourcePlace | undefined {
  for (const place of places) {
    const script = page.scripts.find(({ name }) => name === place.script || scriptToken(name) === place.script);
    if (script === undefined) continue;
    const { origin } = script;
    if (origin.type === 'file') return { path: origin.path, line: origin.line + place.line - 1, column: place.column };
    const found = originalPositionFor(traceMap(origin.map), {
      line: place.line,
      column: Math.max(0, place.column - 1),
    });
    if (found.source === null) continue;
    return { path: workspacePath(found.source), line: found.line, column: found.column + 1 };
  }
  return undefined;
}

let newest: { text: string; map: TraceMap } | undefined;

/** The newest map is kept: errors come in numbers. */
function traceMap(text: string): TraceMap {
  if (newest?.text !== text) newest = { text, map: new TraceMap(text) };
  return newest.map;
}

/** The bundler names a source with the kind of file it is, and what stands in a page with its number there. */
const workspacePath = (source: string): string => source.replace(/^(.*?)(workspace|inline):/, '').replace(/#\d+$/, '');
