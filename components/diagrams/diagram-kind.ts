import type { DiagramKind } from '#lib/sandbox/diagrams/drawing.ts';

/** The kind of diagram that fenced code is; undefined if it is not one. `language`: the first word after the fence. */
export function diagramKind(language: string | undefined, code: string): DiagramKind | undefined {
  switch (language?.toLowerCase()) {
    case 'mermaid':
    case 'mmd':
      return /\S/.test(code) ? 'mermaid' : undefined;
    case 'svg':
      return /<svg[\s>]/i.test(code) ? 'svg' : undefined;
    case 'xml':
      return /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/i.test(code) ? 'svg' : undefined;
    default:
      return undefined;
  }
}
