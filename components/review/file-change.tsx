'use client';

import { FileDiff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { imageType } from '#components/hooks/use-file-blob.ts';
import { useChangeTexts } from '#components/i18n/use-change-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { countLines, hunksBetween } from '#lib/workspace/review/hunks.ts';
import TextDiff from './text-diff.tsx';

/** A file before and after a change: its text, or else its bytes; null where there is no file. */
export interface FileSides {
  path: string;
  before: string | Uint8Array | null;
  after: string | Uint8Array | null;
}

/**
 * Shows a change to a file: a heading, and the differences of its text, or, of an image, the picture before and after.
 * `onOpen`: shows the differences in the editor.
 */
export function FileChange({ path, before, after, onOpen }: FileSides & { onOpen?: (() => void) | undefined }) {
  const t = useChangeTexts();
  const kind = before === null ? 'created' : after === null ? 'deleted' : 'changed';
  const [old, now] = [before ?? '', after ?? ''];
  const isText = typeof old === 'string' && typeof now === 'string';
  return (
    <figure className="my-2 overflow-hidden rounded-md border border-line">
      <figcaption
        data-unsearched=""
        className="flex min-h-8 items-center gap-2 border-line border-b bg-sunken px-3 text-xs"
      >
        <span className="min-w-0 truncate font-mono">{visibleText(path)}</span>
        {kind === 'changed' ? null : <span className="text-muted">{t.kinds[kind]}</span>}
        {isText ? <LineCounts {...countLines(hunksBetween(old, now))} /> : null}
        <span className="flex-1" />
        {onOpen === undefined ? null : (
          <Button variant="ghost" onClick={onOpen} aria-label={t.openDiff(path)}>
            <FileDiff aria-hidden size={14} />
            {t.open}
          </Button>
        )}
      </figcaption>
      {isText ? (
        <div className="max-h-96 overflow-y-auto">
          <TextDiff path={path} before={old} after={now} />
        </div>
      ) : (
        <Images path={path} before={before} after={after} />
      )}
    </figure>
  );
}

/** Shows the numbers of lines that were added and removed. */
export function LineCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="shrink-0 tabular-nums">
      <span className="text-done">+{added}</span> <span className="text-failed">−{removed}</span>
    </span>
  );
}

/** Shows an image before and after. For another binary file, says that it cannot be compared. */
function Images({ path, before, after }: FileSides) {
  const t = useChangeTexts();
  const type = imageType(path);
  if (type === undefined) return <p className="p-2 text-muted text-sm">{t.noText}</p>;
  return (
    <div className="flex flex-wrap gap-3 p-3">
      <Picture bytes={before} type={type} label={t.imageBefore(path)} />
      <Picture bytes={after} type={type} label={t.imageAfter(path)} />
    </div>
  );
}

function Picture({ bytes, type, label }: { bytes: FileSides['before']; type: string; label: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (bytes === null || typeof bytes === 'string') return;
    const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  if (url === undefined) return null;
  return (
    // biome-ignore lint/performance/noImgElement: the image is in the workspace, not at an address
    <img src={url} alt={label} className="max-h-64 max-w-full rounded-sm border border-line" />
  );
}
