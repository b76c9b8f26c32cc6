/** The languages of diagrams. */
export type DiagramKind = 'mermaid' | 'svg';

/**
 * The colors of the studio's page with which Mermaid diagrams are drawn, as CSS colors. `surface`: the background. `line`: that
 * of lines. `node`: the area of boxes. `accent`: their border. `isDark`: whether the page is dark.
 */
export interface DiagramColors {
  isDark: boolean;
  surface: string;
  text: string;
  line: string;
  node: string;
  accent: string;
}

/** A diagram to be drawn. `scale`: pixels for each CSS pixel. */
export interface DiagramRequest {
  kind: DiagramKind;
  source: string;
  colors: DiagramColors;
  scale: number;
}

/** A drawing: a picture of `width` × `height` CSS pixels, and the SVG that it shows. */
export interface Drawing {
  png: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
  svg: string;
  /** The diagram's own title; empty if it has none. */
  title: string;
}

/**
 * The reason why a diagram cannot be drawn. `mistake`: its source is not valid. `too-long`: the source has too many characters.
 * `too-slow`: drawing takes too much time or memory. `too-large`: the drawing is too large. `not-started`: there is no frame to
 * draw in. `line`: where in the source, counted from 1; undefined if that is not known.
 */
export interface DiagramProblem {
  code: 'mistake' | 'too-long' | 'too-slow' | 'too-large' | 'not-started';
  message: string;
  line?: number;
}

/** The interface of the script that draws diagrams in a frame. The page calls it over Comlink. */
export interface Drawer {
  /** Resolves once the script runs. */
  ready(): Promise<true>;
  /** Draws a diagram. Never rejects because of the diagram. */
  draw(request: DiagramRequest): Promise<Drawing | DiagramProblem>;
}
