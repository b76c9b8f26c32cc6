import { styleText } from 'node:util';
import cliTruncate from 'cli-truncate';

type Style = Parameters<typeof styleText>[0];

/** An output for text, such as the terminal or a pipe. */
export interface Output {
  write(text: string): void;
  /** Whether text may have colors: it goes to a terminal, and `NO_COLOR` is not set. */
  hasColors: boolean;
  /** The width of a line, in columns. It is larger without a terminal, because programs then read the output. */
  columns: number;
}

/** The width of a line of an output that is not a terminal, in columns. Targets and outcomes of calls are cut to it. */
const PIPE_COLUMNS = 500;

/** Makes an `Output` of a stream of the process. The variable `NO_COLOR` turns colors off. */
export function outputOf(stream: NodeJS.WriteStream, env: Readonly<Record<string, string | undefined>>): Output {
  return {
    write: (text) => void stream.write(text),
    hasColors: stream.isTTY === true && !env.NO_COLOR,
    get columns() {
      return stream.isTTY === true ? (stream.columns ?? 80) : PIPE_COLUMNS;
    },
  };
}

/** Returns the text in a style, or unchanged if the output has no colors. */
export const styled = (output: Output, style: Style, text: string): string =>
  output.hasColors ? styleText(style, text, { validateStream: false }) : text;

/**
 * Makes text from models, files, and programs safe to show. Control characters could change what the terminal shows or does, so
 * they become escapes such as `\x1b`; line breaks and tabs stay.
 */
export function harmless(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
  });
}

/** Does the same as `harmless`, and also turns invisible characters into escapes such as `\u{200b}`. */
export const escapeInvisible = (text: string): string =>
  harmless(text).replace(
    /[\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** Makes a path or a name safe to show in one line: as `harmless` does, with line breaks and tabs as `\n` and `\t`. */
export const shownName = (name: string): string =>
  harmless(name).replace(/[\n\t]/g, (character) => (character === '\n' ? '\\n' : '\\t'));

/**
 * Returns the text in one line, cut to a number of columns. White space is collapsed, and control characters are escaped.
 */
export const inOneLine = (text: string, columns: number): string =>
  cliTruncate(harmless(text.slice(0, LINE_MAX_CHARS)).replace(/\s+/g, ' ').trim(), columns);

/** The number of characters that `inOneLine` considers; no terminal shows more in one line. */
const LINE_MAX_CHARS = 4_000;
