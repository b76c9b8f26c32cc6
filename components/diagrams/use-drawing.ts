import { useEffect, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { Diagrams } from '#lib/sandbox/diagrams/diagrams.ts';
import type { DiagramColors, DiagramProblem, DiagramRequest, Drawing } from '#lib/sandbox/diagrams/drawing.ts';
import { KeptDrawings } from './kept-drawings.ts';

let drawer: Diagrams | undefined;
const kept = new KeptDrawings();

/** A drawing, or the reason why there is none; undefined while it is being drawn. */
type Outcome = Drawing | DiagramProblem | undefined;

/**
 * Draws a diagram, again whenever it, the theme, or the scale changes. Returns the drawing, or the reason why there is none;
 * undefined while it is drawn. While it is drawn again for another scale, the earlier drawing stays. `attempt`: another
 * number draws it again after a failure.
 */
export function useDrawing(
  { kind, source, scale }: Pick<DiagramRequest, 'kind' | 'source' | 'scale'>,
  isDark: boolean,
  attempt = 0,
): Outcome {
  const { sandbox } = useStudio();
  const name = JSON.stringify([kind, isDark, source]);
  const [state, setState] = useState<{ name: string; outcome: Outcome }>();
  const atOnce = kept.get(name, scale);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt draws again
  useEffect(() => {
    const known = kept.get(name, scale);
    if (known !== undefined) {
      setState({ name, outcome: known });
      return;
    }
    const ended = new AbortController();
    const draw = async () => {
      drawer ??= new Diagrams(document.documentElement.dataset.sandboxOrigin, async (signal) =>
        (await sandbox.load()).isApart(signal),
      );
      const outcome = await drawer.draw({ kind, source, scale, colors: colorsOf(isDark) }, ended.signal);
      if ('png' in outcome) kept.set(name, scale, outcome);
      if (!ended.signal.aborted) setState({ name, outcome });
    };
    draw().catch((error: unknown) => {
      // Nobody waits for a drawing whose view has gone.
      if (!ended.signal.aborted) throw error;
    });
    return () => ended.abort();
  }, [name, kind, source, scale, isDark, attempt, sandbox]);
  return atOnce ?? (state?.name === name ? state.outcome : undefined);
}

const colors = new Map<boolean, DiagramColors>();

/** The colors of the page, read once for each theme, because that may take the browser long. */
function colorsOf(isDark: boolean): DiagramColors {
  const known = colors.get(isDark);
  if (known !== undefined) return known;
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string): string => styles.getPropertyValue(name).trim();
  const read: DiagramColors = {
    isDark,
    surface: color('--surface'),
    text: color('--text'),
    line: color('--text-muted'),
    node: color('--accent-soft'),
    accent: color('--accent'),
  };
  // The document takes a new theme over a moment after its views.
  if ((document.documentElement.dataset.theme === 'dark') === isDark) colors.set(isDark, read);
  return read;
}
