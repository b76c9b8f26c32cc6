'use client';

import { Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  usePreviewedCode,
  useSession,
  useSettings,
  useStudio,
  useThreads,
  useWorkspace,
} from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from '#components/ui/button.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { textMessage } from '#lib/messages/text-message.ts';
import { FAILED_OPENS_MAX, previewOpen, repairRoundOf } from '#lib/tools/browser/preview-open.ts';
import type { Preview } from '#studio/previews.ts';
import { CodePreviewView } from './code-preview-view.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { usePreviewTexts } from './use-preview-texts.ts';

type Opened = { id: string } & ({ preview: Preview } | { problem: string });

/** Shows the preview of the shown workspace, or of code of an answer while the person has that open in its place. */
export default function PreviewView({ shown }: { shown: boolean }) {
  const workspaceId = useWorkspace()?.id;
  const code = usePreviewedCode();
  if (code !== undefined && code.workspaceId === workspaceId) return <CodePreviewView code={code} shown={shown} />;
  return <WorkspacePreview shown={shown} />;
}

function WorkspacePreview({ shown }: { shown: boolean }) {
  const t = useMessages();
  const texts = usePreviewTexts();
  const { previews, threads, workspaces } = useStudio();
  const { openFile } = useWorkbench();
  const workspace = useWorkspace();
  const theme = useSettings((state) => state.theme);
  const workspaceId = workspace?.id;
  const [opened, setOpened] = useState<Opened>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it again
  useEffect(() => {
    if (workspaceId === undefined) return;
    let isCurrent = true;
    const show = (found: Opened) => isCurrent && setOpened(found);
    previews.open(workspaceId).then(
      (preview) => show({ id: workspaceId, preview }),
      (error: unknown) => show({ id: workspaceId, problem: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [previews, workspaceId, attempt]);
  if (workspace === undefined || opened?.id !== workspace.id) {
    return (
      <p role="status" className="flex items-center justify-center gap-2 p-6 text-muted text-sm">
        <Spinner />
        {texts.opening}
      </p>
    );
  }
  if ('problem' in opened) {
    return (
      <div className="p-6 text-center text-sm">
        <p className="break-words text-failed">{opened.problem}</p>
        <Button className="mt-3" onClick={() => setAttempt(attempt + 1)}>
          {t.start.tryAgain}
        </Button>
      </div>
    );
  }
  const windowAddress = (entry: string) => `/preview?${new URLSearchParams({ workspace: workspace.id, entry })}`;
  return (
    <PreviewPanel
      key={workspace.id}
      preview={opened.preview}
      fileSystem={workspace.fileSystem}
      theme={theme}
      shown={shown}
      onOpenPlace={({ path, line, column }) => openFile(path, { line, column })}
      onFix={(problems) => void threads.send(textMessage(texts.fixMessage(problems)))}
      {...(!workspaces.isVolatile(workspace.id) && { windowAddress })}
    >
      <Repair />
    </PreviewPanel>
  );
}

/** Shows the number of the model's attempts to fix the page in this turn, and a button to stop it. */
function Repair() {
  const texts = usePreviewTexts();
  const session = useThreads((state) => state.session);
  const round = useSession(session, ({ busy, branch }) => {
    const turn = branch.at(-1);
    if (!busy || turn?.role !== 'assistant') return undefined;
    const last = turn.parts.findLast((part) => part.type === 'tool-call' && part.toolName === previewOpen.name);
    return last?.type === 'tool-call' ? repairRoundOf(last.result)?.round : undefined;
  });
  if (session === undefined || round === undefined) return null;
  return (
    <div role="status" className="flex items-center gap-2 border-line border-b px-3 py-1 text-running text-xs">
      <Spinner />
      <span className="flex-1">{texts.round(round, FAILED_OPENS_MAX)}</span>
      <Button variant="ghost" onClick={() => void session.stop()}>
        <Square aria-hidden size={12} />
        {texts.stop}
      </Button>
    </div>
  );
}
