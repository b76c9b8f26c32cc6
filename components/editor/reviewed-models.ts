import { type RefObject, useEffect, useRef } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import type { FileReview } from '#lib/workspace/review/file-review.ts';
import { hunksBetween } from '#lib/workspace/review/hunks.ts';
import { hasUniformEndings, withEnding, withEndingsOf } from '#lib/workspace/review/line-endings.ts';
import type { CallReview } from '#studio/reviews.ts';
import { monaco } from './monaco.ts';
import { type DiffNames, editorOptions, keepNames, monacoLanguageOf } from './options.ts';
import { showDiff } from './show-diff.ts';
import { keepTypedCharacters } from './typed-characters.ts';

/** The Monaco editor in which the user reviews what a call of the model would write to a file. */
export interface ReviewEditor {
  /** The editor in which the new text can be edited. */
  text: monaco.editor.IStandaloneCodeEditor;
  /** Absent for a new file, which has no old text at its side. */
  diff?: monaco.editor.IStandaloneDiffEditor;
}

/**
 * Creates an editor in `host` with the text that a call would write to a file, beside the old one if there is one, and
 * reports the user's edits to `review`. `names`: returns the accessible names of the sides. `setEditor`: gets the editor,
 * and undefined when it is removed.
 */
export function useReviewedModels(
  host: RefObject<HTMLDivElement | null>,
  path: string,
  text: FileReview,
  review: CallReview,
  names: () => DiffNames,
  setEditor: (editor: ReviewEditor | undefined) => void,
): void {
  const { settings } = useStudio();
  const models = useRef<monaco.editor.IDiffEditorModel>(undefined);
  const isApplying = useRef(false);
  const latest = useRef(text);
  latest.current = text;
  const isNew = text.base === '';
  useEffect(() => {
    if (host.current === null) return;
    // Tab moves the focus to the buttons: people seldom indent text of the model here.
    const options = { ...editorOptions(settings.getState().editor), tabFocusMode: true };
    const language = monacoLanguageOf(path);
    const original = monaco.editor.createModel(latest.current.base, language);
    const modified = monaco.editor.createModel(latest.current.text, language);
    models.current = { original, modified };
    const { editor, end } = isNew
      ? createAlone(host.current, { ...options, model: modified, ariaLabel: names().modified })
      : createDiff(host.current, options, { models: { original, modified }, names });
    const changes = modified.onDidChangeContent(({ changes: made }) => {
      if (isApplying.current) return;
      const edits = made.map(({ range, text: put }) => ({
        start: range.startLineNumber - 1,
        end: range.endLineNumber,
        count: put.split(/\r\n|\r|\n/).length,
      }));
      const { text: before } = latest.current;
      const now = modified.getValue();
      review.edit(path, hasUniformEndings(before) ? now : withEndingsOf(before, now), edits);
    });
    setEditor(editor);
    return () => {
      changes.dispose();
      models.current = undefined;
      setEditor(undefined);
      end();
    };
  }, [host, path, review, names, setEditor, settings, isNew]);
  useEffect(() => {
    if (models.current === undefined) return;
    const { original, modified } = models.current;
    const [base, shown] = [withEnding(text.base, original.getEOL()), withEnding(text.text, modified.getEOL())];
    if (original.getValue() !== base) original.applyEdits(lineEdits(original, base));
    if (modified.getValue() === shown) return;
    isApplying.current = true;
    try {
      modified.pushEditOperations([], lineEdits(modified, shown), () => null);
    } finally {
      isApplying.current = false;
    }
  }, [text]);
}

function createAlone(host: HTMLElement, options: monaco.editor.IStandaloneEditorConstructionOptions) {
  const text = monaco.editor.create(host, options);
  const endKeys = keepTypedCharacters(host);
  const end = () => {
    endKeys();
    text.dispose();
    options.model?.dispose();
  };
  return { editor: { text }, end };
}

function createDiff(
  host: HTMLElement,
  options: monaco.editor.IDiffEditorConstructionOptions,
  { models, names }: { models: monaco.editor.IDiffEditorModel; names: () => DiffNames },
) {
  const diff = monaco.editor.createDiffEditor(host, {
    ...options,
    originalEditable: false,
    useInlineViewWhenSpaceIsLimited: true,
    renderOverviewRuler: false,
    renderMarginRevertIcon: false,
    hideUnchangedRegions: { enabled: true },
  });
  keepNames(diff, names);
  const close = showDiff(diff, models);
  const endKeys = keepTypedCharacters(host);
  const end = () => {
    endKeys();
    close();
    diff.dispose();
  };
  return { editor: { text: diff.getModifiedEditor() as monaco.editor.IStandaloneCodeEditor, diff }, end };
}

/** The edits, line by line, that change a model's text to `text`, so that the cursor, undo history, and folds stay. */
function lineEdits(model: monaco.editor.ITextModel, text: string): monaco.editor.IIdentifiedSingleEditOperation[] {
  const last = model.getLineCount();
  return hunksBetween(model.getValue(), text).map(({ start, end, lines }) => {
    const range =
      end >= last
        ? new monaco.Range(start + 1, 1, last, model.getLineMaxColumn(last))
        : new monaco.Range(start + 1, 1, end + 1, 1);
    return { range, text: lines.join('') };
  });
}
