'use client';

import { Eye, Play, Square } from 'lucide-react';
import { Suspense, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { CodeRun, type CodeRunState } from '#components/console/code-run.ts';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import type { RunKind } from './run-kind.ts';

const CodeRunView = lazyView(() => import('#components/console/code-run-view.tsx'));

interface RunCodeProps {
  kind: RunKind;
  code: string;
  language: string;
  workspace: OpenedWorkspace;
  /** The name of the code in its thread, under which its run is kept. */
  name: string;
  /** The element for the output. */
  below: HTMLElement | null;
}

/**
 * A button for code of an answer. As `kind` says, it runs the code in the thread's sandbox and shows the output in the element
 * `below`, or it shows the code as a page in the preview. While the code runs, the button stops it.
 */
export function RunCode({ kind, code, language, workspace, name, below }: RunCodeProps) {
  const texts = useMarkdownTexts();
  const studio = useStudio();
  const { showPreview } = useWorkbench();
  const threadId = useThreads(({ selectedId }) => selectedId);
  const [run, setRun] = useKeptState<CodeRun | undefined>(`run/${name}`, undefined);
  const status = useStatus(run);
  if (threadId === null) return null;
  const start = () => {
    if (kind !== 'page') {
      const isTypeScript = kind === 'typescript';
      const given = { code, isTypeScript, fileSystem: workspace.fileSystem };
      return new CodeRun(async (context) => {
        const { runInThread } = await import('#components/console/run-in-thread.ts');
        return runInThread(studio, threadId, given, context);
      });
    }
    showPreview();
    return new CodeRun(async () => {
      await studio.previews.showCode(workspace.id, code, language);
      return { type: 'value', value: undefined };
    });
  };
  const label = kind === 'page' ? texts.previewCode : texts.runCode;
  return (
    <>
      {status === 'running' ? (
        <IconButton label={texts.stopCode} onClick={() => run?.stop()}>
          <Square aria-hidden size={14} />
        </IconButton>
      ) : (
        <IconButton label={label} onClick={() => setRun(start())}>
          {kind === 'page' ? <Eye aria-hidden size={15} /> : <Play aria-hidden size={15} />}
        </IconButton>
      )}
      {run === undefined || below === null || (kind === 'page' && status !== 'failed')
        ? null
        : createPortal(
            <ErrorBoundary>
              <Suspense>
                <CodeRunView run={run} name={`run/${name}`} onClose={() => setRun(undefined)} />
              </Suspense>
            </ErrorBoundary>,
            below,
          )}
    </>
  );
}

const NEVER = () => () => undefined;
const NO_STATUS = () => undefined;

/** The status of a run, which changes far less often than what it has printed. */
const useStatus = (run: CodeRun | undefined): CodeRunState['status'] | undefined =>
  useSyncExternalStore(run?.subscribe ?? NEVER, run === undefined ? NO_STATUS : () => run.getState().status, NO_STATUS);
