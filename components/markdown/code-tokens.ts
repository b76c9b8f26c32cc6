/** The CSS properties of a token. Its color is a CSS variable. */
type TokenStyle = Readonly<Record<string, string>>;

/** The tokens of lines as they are sent from the worker. */
export interface PackedLines {
  styles: readonly TokenStyle[];
  /** For each line, the number of its tokens; then, for each token, its length and the index of its style in `styles`. */
  numbers: Uint32Array<ArrayBuffer>;
}

export interface Token {
  length: number;
  style: TokenStyle;
}

interface StyledText {
  content: string;
  color?: string | undefined;
  /** The sum of `ITALIC` and `BOLD`, as far as they apply; negative if there is none. */
  fontStyle?: number | undefined;
}

const ITALIC = 1;
const BOLD = 2;

function styleOf({ color, fontStyle = 0 }: StyledText): TokenStyle {
  // A token without a font style has a negative number.
  const font = Math.max(0, fontStyle);
  return {
    ...(color !== undefined && { color }),
    ...((font & ITALIC) !== 0 && { fontStyle: 'italic' }),
    ...((font & BOLD) !== 0 && { fontWeight: 'bold' }),
  };
}

export function packLines(lines: readonly (readonly StyledText[])[]): PackedLines {
  const styles: TokenStyle[] = [];
  const known = new Map<string, number>();
  const indexOf = (token: StyledText): number => {
    const style = styleOf(token);
    const key = JSON.stringify(style);
    const index = known.get(key) ?? styles.push(style) - 1;
    known.set(key, index);
    return index;
  };
  const numbers = lines.flatMap((line) => [
    line.length,
    ...line.flatMap((token) => [token.content.length, indexOf(token)]),
  ]);
  return { styles, numbers: Uint32Array.from(numbers) };
}

export function unpackLines({ styles, numbers }: PackedLines): Token[][] {
  const lines: Token[][] = [];
  for (let at = 0; at < numbers.length; ) {
    const end = at + 1 + 2 * (numbers[at] ?? 0);
    const line: Token[] = [];
    for (at++; at < end; at += 2) {
      line.push({ length: numbers[at] ?? 0, style: styles[numbers[at + 1] ?? 0] ?? {} });
    }
    lines.push(line);
  }
  return lines;
}
