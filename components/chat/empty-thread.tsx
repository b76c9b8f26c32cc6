'use client';

import { AppWindow, Calculator, FolderSearch, PenLine } from 'lucide-react';
import { useConnections, useModels, useStudio, useWorkspaceTree } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from '#components/ui/button.tsx';
import type { UserMessage } from '#lib/messages/message.ts';
import { textMessage } from '#lib/messages/text-message.ts';
import { EXAMPLE_FILE } from '#studio/example-file.ts';
import { WorkspaceChoice } from './workspace-choice.tsx';

const ICONS = { page: AppWindow, compute: Calculator, change: PenLine, look: FolderSearch };

/**
 * Shown in a thread without messages: what the studio is for, four suggestions, the choice of a workspace, and, if there is
 * no real model, how to get one.
 */
export function EmptyThread() {
  const t = useMessages();
  const { threads, workspaces } = useStudio();
  const lacksExample = useWorkspaceTree(({ items }) => items !== undefined && !items.has(EXAMPLE_FILE));
  const suggest = (prompt: string, needsFiles: boolean) => {
    const addFiles = async (workspaceId: string, message: UserMessage) => {
      const { addExampleFiles } = await import('#studio/example-project.ts');
      await addExampleFiles((await workspaces.open(workspaceId)).fileSystem);
      return message;
    };
    return threads.send(textMessage(prompt), needsFiles ? addFiles : undefined);
  };
  return (
    <div className="@container m-auto w-full max-w-2xl py-8">
      <p className="text-balance font-medium text-xl">{t.empty.lead}</p>
      <div className="mt-5 grid gap-2 @md:grid-cols-2">
        {t.empty.suggestions.map(({ kind, title, prompt }) => {
          const Icon = ICONS[kind];
          const needsFiles = kind === 'change';
          return (
            <button
              key={kind}
              type="button"
              onClick={() => void suggest(prompt, needsFiles)}
              className="flex gap-3 rounded-lg bg-sunken p-3 text-left hover:bg-hover"
            >
              <Icon aria-hidden size={17} className="mt-0.5 shrink-0 text-accent" />
              <span>
                <span className="block text-muted text-xs">
                  {needsFiles && lacksExample ? t.empty.withExampleFiles(title) : title}
                </span>
                <span className="text-sm">{prompt}</span>
              </span>
            </button>
          );
        })}
      </div>
      <WorkspaceChoice />
      <ModelHelp />
    </div>
  );
}

function ModelHelp() {
  const t = useMessages();
  const { models } = useStudio();
  const { connectModel, openSettings } = useWorkbench();
  const hasConnections = useConnections((state) => state.connections.length > 0);
  const list = useModels((state) => state.list);
  const loading = useModels((state) => state.loading);
  const error = useModels((state) => state.error);
  if (list === undefined) {
    return error === undefined ? null : (
      <p role="alert" className="mt-6 text-failed text-sm">
        {t.errors.codes['server-unreachable']} <Button onClick={() => void models.refresh()}>{t.common.retry}</Button>
      </p>
    );
  }
  const onlyDemo = list.models.every(({ demo }) => demo);
  if (!onlyDemo && list.problems.length === 0) return null;
  return (
    <section className="mt-6 border-line border-t pt-4 text-sm">
      {onlyDemo ? (
        <>
          <p>{hasConnections ? t.empty.noneSelected : list.models.length === 0 ? t.empty.noModel : t.empty.onlyDemo}</p>
          {hasConnections ? (
            <Button className="mt-3 mr-2" onClick={() => openSettings('models')}>
              {t.errors.openSettings}
            </Button>
          ) : null}
          {list.personal.isAllowed ? (
            <Button variant="primary" className="mt-3" onClick={connectModel}>
              {t.empty.connect}
            </Button>
          ) : null}
          <dl className="mt-3 grid gap-3">
            <div>
              <dt className="font-medium">{t.empty.localTitle}</dt>
              <dd className="text-muted">{t.empty.local}</dd>
            </div>
            <div>
              <dt className="font-medium">{t.empty.keyTitle}</dt>
              <dd className="text-muted">{t.empty.key}</dd>
            </div>
          </dl>
        </>
      ) : null}
      {list.problems.length > 0 ? (
        <div className="mt-3">
          <p className="text-denied">{t.empty.problems}</p>
          <ul className="mt-1 text-muted">
            {list.problems.map(({ source, detail }) => (
              <li key={source} className="break-words">
                {source}: {detail}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <Button className="mt-3" disabled={loading} onClick={() => void models.refresh()}>
        {t.empty.lookAgain}
      </Button>
    </section>
  );
}
