'use client';

import { Download, Ellipsis, FilePlus2, WrapText } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Menu } from '#components/ui/menu.tsx';
import { download } from '#studio/page/download.ts';
import type { CodeActionsProps } from '../markdown/code-actions-view.ts';
import { fileNameFor } from '../markdown/languages.ts';
import { RunCode } from './run-code.tsx';
import { runKind } from './run-kind.ts';

const SaveCodeDialog = lazyView(() => import('./save-code-dialog.tsx'));

/**
 * The actions of a code block of an answer: runs it, if the studio can run its language, wraps its lines, downloads it, or
 * saves it to the workspace. `name`: the name under which the thread keeps the run. `below`: the element below the code, for
 * the output.
 */
export function CodeActions({ code, language, isWrapped, onWrap, isWriting, name, below }: CodeActionsProps) {
  const texts = useMarkdownTexts();
  const workspace = useWorkspace();
  const [isSaving, setSaving] = useState(false);
  const fileName = fileNameFor(language);
  const kind = isWriting ? undefined : runKind(language, code);
  return (
    <>
      {kind === undefined || workspace === undefined ? null : (
        <RunCode
          key={code}
          kind={kind}
          code={code}
          language={language ?? ''}
          workspace={workspace}
          name={name}
          below={below}
        />
      )}
      <Menu
        trigger={
          <IconButton label={texts.codeActions}>
            <Ellipsis aria-hidden size={15} />
          </IconButton>
        }
        entries={[
          ...(onWrap === undefined
            ? []
            : [
                {
                  label: isWrapped ? texts.unwrapLines : texts.wrapLines,
                  icon: <WrapText aria-hidden size={15} />,
                  onSelect: onWrap,
                },
              ]),
          {
            label: texts.downloadCode,
            icon: <Download aria-hidden size={15} />,
            onSelect: () => download(new Blob([code], { type: 'text/plain' }), fileName),
          },
          ...(workspace === undefined
            ? []
            : [
                {
                  label: texts.saveCode,
                  icon: <FilePlus2 aria-hidden size={15} />,
                  onSelect: () => setSaving(true),
                },
              ]),
        ]}
      />
      {isSaving && workspace !== undefined ? (
        <ErrorBoundary>
          <Suspense>
            <SaveCodeDialog code={code} name={fileName} workspace={workspace} onClose={() => setSaving(false)} />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </>
  );
}
