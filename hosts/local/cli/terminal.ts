import { styleText } from 'node:util';
import cliTruncate from 'cli-truncate';

type Style = Parameters<typeof styleText>[0];

/** An output for text. */
export interface Output {
  write(text: string): void;
  /** Whether people see it, so that it may have colors. */
  isTerminal: boolean;
  /** The number of columns. Where there is no terminal, programs read the output, and lines may be longer. */
  columns: number;
}

/** The maximum length of a target or an outcome in a pipe, in characters. */
const PIPE_COLUMNS = 500;

/** A stream of the process as an output. `NO_COLOR` turns colors off. */
export function outputOf(stream: NodeJS.WriteStream, env: Readonly<Record<string, string | undefined>>): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true && !env.NO_COLOR,
    get columns() {
      return stream.isTTY === true ? (stream.columns ?? 80) : PIPE_COLUMNS;
    },
  };
}

/** Text in a style, where there are colors. */
export const styled = (output: Output, style: Style, text: string): string =>
  output.isTerminal ? styleText(style, text, { validateStream: false }) : text;

/**
 * Text from models, files and programs as it can be shown: control characters, with which it could change what the
 * terminal shows or does, are written out.
 */
export function harmless(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;
  });
}

/** Text from elsewhere as it can be shown, where characters that nobody would see are written out as well. */
export const visible = (text: string): string =>
  harmless(text).replace(
    /[\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** A path or a name as it can be shown, in one line. */
export const shownName = (name: string): string =>
  harmless(name).replace(/[\n\t]/g, (character) => (character === '\n' ? '\\n' : '\\t'));

/** The text in one line, cut to a number of columns. */
export const inOneLine = (text: string, columns: number): string =>
  cliTruncate(harmless(text.slice(0, LINE_MAX_CHARS)).replace(/\s+/g, ' ').trim(), columns);

/** No terminal shows more in one line. */
const LINE_MAX_CHARS = 4_000;
