'use client';

import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import TextDiff from './text-diff.tsx';

/**
 * The lines up to which texts are compared. Longer texts are shown whole, one below the other: comparing them could block
 * the page.
 */
const COMPARED_MAX_LINES = 600;
/**
 * The characters up to which texts are compared. Longer texts are shown whole, one below the other: comparing them could
 * block the page.
 */
const COMPARED_MAX_LENGTH = 40_000;

interface ChangedTextProps {
  heading: string;
  /** The path of the file. Its extension decides how the text is highlighted. */
  path: string;
  before: string;
  now: string;
}

/** Shows how a text differs from one that the person has allowed, or both if they are too long to be compared. */
export function ChangedText({ heading, path, before, now }: ChangedTextProps) {
  const texts = useServerTexts();
  const isComparable = [before, now].every(
    (text) => text.length <= COMPARED_MAX_LENGTH && text.split('\n').length <= COMPARED_MAX_LINES,
  );
  if (isComparable)
    return (
      <div className="mt-2">
        <p>{heading}</p>
        <TextDiff path={path} before={before} after={now} />
      </div>
    );
  return (
    <>
      <p className="mt-2">{heading}</p>
      <ShownText heading={texts.before} text={before} />
      <ShownText heading={texts.now} text={now} />
    </>
  );
}

/** Shows a text that the person should read before they allow it. */
export function ShownText({ heading, text }: { heading?: string; text: string }) {
  return (
    <div className="mt-2">
      {heading === undefined ? null : <p>{heading}</p>}
      <pre className="mt-1 max-h-48 overflow-y-auto whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3 text-[13px] text-muted">
        {text}
      </pre>
    </div>
  );
}
