'use client';

import { CircleAlert } from 'lucide-react';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { Problem } from '#lib/messages/message.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';

interface MessageProblemProps {
  problem: Problem;
  isLast: boolean;
  session: ThreadSession | undefined;
}

/** Why a turn failed, and what to do next. */
export function MessageProblem({ problem, isLast, session }: MessageProblemProps) {
  const t = useMessages();
  const words = Object.hasOwn(t.errors.codes, problem.code) ? t.errors.codes[problem.code] : undefined;
  return (
    <div role="alert" className="my-2 rounded-md border border-failed/40 bg-failed-soft p-3 text-sm">
      <p className="flex items-center gap-2 font-medium">
        <CircleAlert aria-hidden size={15} className="text-failed" />
        {t.errors.title}
      </p>
      <p className="mt-1">{words ?? t.errors.unknown}</p>
      <p className="mt-1 line-clamp-4 break-words font-mono text-xs">{problem.detail}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {isLast && session !== undefined ? (
          <Button variant="primary" onClick={() => void session.retry()}>
            {t.common.retry}
          </Button>
        ) : null}
        <OtherWayOut code={problem.code} />
        <CopyButton withText label={t.common.copyDetails} text={() => `${problem.code}: ${problem.detail}`} />
      </div>
    </div>
  );
}

/** What may help if a retry alone does not. */
const OTHER_WAYS_OUT = new Map<string, 'model' | 'thread' | 'settings' | 'space'>([
  ['no-model', 'model'],
  ['key-missing', 'model'],
  ['key-refused', 'model'],
  ['no-models', 'settings'],
  ['keys-locked', 'settings'],
  ['key-needed', 'settings'],
  ['address-refused', 'model'],
  ['personal-keys-off', 'model'],
  ['model-not-found', 'model'],
  ['no-chat-template', 'model'],
  ['context-too-small', 'model'],
  ['rate-limited', 'model'],
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
  const t = useMessages();
  const { newThread, openPalette, openSettings } = useWorkbench();
  switch (OTHER_WAYS_OUT.get(code)) {
    case 'model':
      return <Button onClick={() => openPalette('models')}>{t.errors.chooseModel}</Button>;
    case 'thread':
      return <Button onClick={() => newThread()}>{t.threads.newThread}</Button>;
    case 'settings':
      return <Button onClick={openSettings}>{t.errors.openSettings}</Button>;
    case 'space':
      return <Button onClick={openSettings}>{t.errors.freeSpace}</Button>;
    default:
      return null;
  }
}
