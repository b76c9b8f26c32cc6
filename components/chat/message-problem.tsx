'use client';

import { CircleAlert } from 'lucide-react';
import { Suspense } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useConnections, useCurrentModelId } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import type { Problem } from '#lib/messages/message.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';

const LargeToolsets = lazyView(() => import('./large-toolsets.tsx'));

interface MessageProblemProps {
  /** The name of the turn, under which it is kept whether the problem is open. */
  name: string;
  problem: Problem;
  /** Whether the turn is the last one. Problems of earlier turns are a line that can be opened. */
  isLast: boolean;
  session: ThreadSession | undefined;
  /** The model whose step failed; undefined if there was none. */
  modelId: string | undefined;
}

/** Shows why a turn failed, and what to do next. If the turn is not the last one, this is collapsed until the user opens it. */
export function MessageProblem({ name, ...props }: MessageProblemProps) {
  const t = useAllMessages();
  const [isOpen, setOpen] = useKeptState(`problem/${name}`, false);
  if (props.isLast) {
    return (
      <div role="alert" className="my-block rounded-md border border-failed/40 bg-failed-soft p-3 text-sm">
        <p className="flex items-center gap-2 font-medium">
          <CircleAlert aria-hidden size={15} className="text-failed" />
          {t.errors.title}
        </p>
        <Details {...props} />
      </div>
    );
  }
  return (
    <div className="my-block rounded-md text-sm">
      <Disclosure
        open={isOpen}
        onOpenChange={setOpen}
        className="items-center gap-1.5 rounded-md py-1 pe-2 text-muted hover:text-text"
      >
        <CircleAlert aria-hidden size={14} className="shrink-0 text-failed" />
        {t.errors.title}
      </Disclosure>
      {isOpen ? (
        <div className="rounded-md border border-failed/40 bg-failed-soft px-3 pt-2 pb-3">
          <Details {...props} />
        </div>
      ) : null}
    </div>
  );
}

/** The reason why a turn failed, and the ways out. */
function Details({ problem, isLast, session, modelId }: Omit<MessageProblemProps, 'name'>) {
  const t = useAllMessages();
  const { openModelSettings } = useWorkbench();
  const reasons: Readonly<Record<string, string>> = { ...t.problems, ...t.errors.codes };
  const words = Object.hasOwn(reasons, problem.code) ? reasons[problem.code] : undefined;
  return (
    <>
      <p className="mt-1">{words ?? t.errors.unknown}</p>
      <p className="mt-1 line-clamp-4 break-words font-mono text-xs">{problem.detail}</p>
      {isLast && problem.toolsets !== undefined ? (
        <Suspense>
          <LargeToolsets toolsets={problem.toolsets} />
        </Suspense>
      ) : null}
      <div className="mt-2 flex flex-wrap gap-2">
        {isLast && session !== undefined ? (
          <Button variant="primary" onClick={() => void session.retry()}>
            {t.common.retry}
          </Button>
        ) : null}
        {isLast ? <KeyWayOut code={problem.code} modelId={modelId} /> : null}
        <OtherWayOut code={problem.code} />
        {MAY_BE_EXAMINED.has(problem.code) && modelId !== undefined ? (
          <Button onClick={() => openModelSettings(modelId)}>{t.controls.modelSettings}</Button>
        ) : null}
        <CopyButton withText label={t.common.copyDetails} text={() => `${problem.code}: ${problem.detail}`} />
      </div>
    </>
  );
}

/** The codes of problems with the key of a connection to a model provider. */
const OF_THE_KEY: ReadonlySet<string> = new Set(['key-refused', 'key-needed']);

/** A button that opens the model's connection if its key is missing or refused. Renders nothing for other problems. */
function KeyWayOut({ code, modelId }: { code: string; modelId: string | undefined }) {
  const t = useAllMessages();
  const { editConnection } = useWorkbench();
  const current = useCurrentModelId();
  const model = modelId ?? current;
  const connection = useConnections((state) => state.connections.find(({ id }) => model?.startsWith(`${id}/`)));
  if (!OF_THE_KEY.has(code) || connection === undefined) return null;
  return <Button onClick={() => editConnection(connection.id)}>{t.messages.replaceKey}</Button>;
}

/** The codes of problems that an examination of the model may explain. */
const MAY_BE_EXAMINED: ReadonlySet<string> = new Set(['empty-reply', 'tools-refused']);

/** Ways to solve a problem if a retry alone does not help, by the problem's code. */
const OTHER_WAYS_OUT = new Map<string, 'model' | 'models' | 'thread' | 'settings' | 'space' | 'unlock'>([
  ['no-model', 'model'],
  ['key-missing', 'model'],
  ['key-refused', 'model'],
  ['no-models', 'models'],
  ['keys-locked', 'unlock'],
  ['address-refused', 'model'],
  ['personal-keys-off', 'model'],
  ['model-not-found', 'model'],
  ['no-chat-template', 'model'],
  ['context-too-small', 'model'],
  ['question-too-long', 'model'],
  ['rate-limited', 'model'],
  ['no-credit', 'model'],
  ['access-refused', 'model'],
  ['endpoint-unreachable', 'model'],
  ['endpoint-timeout', 'model'],
  ['endpoint-error', 'model'],
  ['empty-reply', 'model'],
  ['reply-too-long', 'model'],
  ['tools-refused', 'model'],
  ['context-too-long', 'thread'],
  ['storage-full', 'space'],
  ['storage-failed', 'settings'],
]);

function OtherWayOut({ code }: { code: string }) {
  const t = useAllMessages();
  const { newThread, openPalette, openSettings, unlockKeys } = useWorkbench();
  switch (OTHER_WAYS_OUT.get(code)) {
    case 'model':
      return <Button onClick={() => openPalette('models')}>{t.errors.chooseModel}</Button>;
    case 'thread':
      return <Button onClick={() => newThread()}>{t.threads.newThread}</Button>;
    case 'models':
      return <Button onClick={() => openSettings('models')}>{t.errors.openSettings}</Button>;
    case 'settings':
      return <Button onClick={() => openSettings('data')}>{t.errors.openSettings}</Button>;
    case 'unlock':
      return <Button onClick={unlockKeys}>{t.messages.unlockKeys}</Button>;
    case 'space':
      return <Button onClick={() => openSettings('data')}>{t.errors.freeSpace}</Button>;
    default:
      return null;
  }
}
