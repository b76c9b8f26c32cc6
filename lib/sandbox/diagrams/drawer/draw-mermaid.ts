import mermaid, { type MermaidConfig } from 'mermaid';
import type { DiagramColors } from '../drawing.ts';
import { DIAGRAM_LIMITS } from '../limits.ts';
import { centerStates } from './center-states.ts';

/** The font of diagrams. A picture can use only fonts of the system. */
const FONT = 'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';

let count = 0;

/**
 * Draws a Mermaid diagram. Resolves with its SVG; rejects with the parser's error. Runs only in the frame for diagrams, because
 * it empties the body of the document.
 */
export async function drawMermaid(source: string, colors: DiagramColors): Promise<string> {
  mermaid.initialize(configOf(colors));
  const id = `diagram-${++count}`;
  try {
    // Throws for mistakes, where `render` would draw a picture of an error.
    await mermaid.parse(source);
    return centerStates((await mermaid.render(id, source)).svg);
  } finally {
    // It leaves elements behind if it fails.
    document.body.replaceChildren();
  }
}

function configOf({ isDark, surface, text, line, node, accent }: DiagramColors): MermaidConfig {
  const areas = AREAS[isDark ? 'dark' : 'light'];
  const lines = LINES[isDark ? 'dark' : 'light'];
  return {
    startOnLoad: false,
    // No scripts, no clicks, and no HTML of the diagram's own.
    securityLevel: 'strict',
    // A diagram cannot change these with a directive of its own.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'suppressErrorRendering',
      'htmlLabels',
      'dompurifyConfig',
    ],
    suppressErrorRendering: true,
    maxTextSize: DIAGRAM_LIMITS.sourceMax,
    maxEdges: DIAGRAM_LIMITS.edgesMax,
    // The text of HTML labels would be missing in pictures of some browsers.
    htmlLabels: false,
    fontFamily: FONT,
    look: 'classic',
    theme: 'base',
    themeVariables: {
      darkMode: isDark,
      fontFamily: FONT,
      background: surface,
      primaryColor: node,
      primaryTextColor: text,
      primaryBorderColor: accent,
      secondaryColor: areas[1],
      secondaryTextColor: text,
      tertiaryColor: isDark ? '#222226' : '#f7f7f8',
      tertiaryTextColor: text,
      lineColor: line,
      textColor: text,
      titleColor: text,
      edgeLabelBackground: surface,
      noteBkgColor: areas[2],
      noteTextColor: text,
      pieOpacity: 1,
      pieStrokeColor: surface,
      pieOuterStrokeColor: line,
      ...numbered('pie', 1, areas),
      ...numbered('cScale', 0, areas),
      ...numbered(
        'cScaleLabel',
        0,
        areas.map(() => text),
      ),
      ...numbered('git', 0, lines),
      ...numbered(
        'gitBranchLabel',
        0,
        lines.map(() => surface),
      ),
      xyChart: { backgroundColor: surface, plotColorPalette: lines.join(',') },
    },
  };
}

/** The colors of things that differ; neighbors are easy to tell apart. Areas have text on them, lines and bars have none. */
const AREAS = {
  light: [
    '#c8d7f7',
    '#c8f7e0',
    '#f7e7c8',
    '#e8c8f7',
    '#c8edf7',
    '#f7c8d0',
    '#dbf7c8',
    '#d4c8f7',
    '#f7d8c8',
    '#c8f7f0',
    '#f7c8e7',
    '#f7f7c8',
  ],
  dark: [
    '#2d3a5d',
    '#2d5d45',
    '#5d4b2d',
    '#4d2d5d',
    '#2d515d',
    '#5d2d35',
    '#3e5d2d',
    '#392d5d',
    '#5d3d2d',
    '#2d5d55',
    '#5d2d4d',
    '#5d5d2d',
  ],
};
const LINES = {
  light: [
    '#2953a3',
    '#29a366',
    '#a37729',
    '#7b29a3',
    '#2985a3',
    '#a3293d',
    '#70a329',
    '#4829a3',
    '#a35129',
    '#29a38f',
    '#a3297b',
    '#a3a329',
  ],
  dark: [
    '#859ee0',
    '#85e0b3',
    '#e0be85',
    '#c285e0',
    '#85d0e0',
    '#e08594',
    '#aae085',
    '#9c85e0',
    '#e0a485',
    '#85e0d1',
    '#e085c2',
    '#e0e085',
  ],
};

/** Variables of a theme with one name and a number each, counted from `first`. */
const numbered = (name: string, first: number, colors: readonly string[]): Record<string, string> =>
  Object.fromEntries(colors.map((color, index) => [`${name}${first + index}`, color]));
