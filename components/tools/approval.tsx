'use client';

import { useId, useRef, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { Button } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import type { ToolCall } from '#lib/tools/tool.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';

interface ApprovalProps {
  part: ToolCallPart;
  /** What is asked, where the call has made another itself. */
  inner: ToolCall | undefined;
  input: ReadonlyMap<string, unknown>;
  session: ThreadSession;
}

/** Asks for a call that may not run by itself. Enter allows and Esc denies, while the focus is inside. */
export function Approval({ part, inner, input: outerInput, session }: ApprovalProps) {
  const t = useMessages();
  const [word, setWord] = useState('');
  const wordId = useId();
  const scopeId = useId();
  const box = useRef<HTMLDivElement>(null);
  const tool = toolRegistry.get(inner?.toolName ?? part.toolName);
  const input = inner === undefined ? outerInput : new Map(Object.entries(inner.input ?? {}));
  if (tool === undefined) return null;
  const path = visibleText(String(input.get('path') ?? ''));
  const sentence =
    tool.effect === 'execute'
      ? t.tools.askExecute
      : tool.effect === 'write'
        ? t.tools.askWrite(path)
        : path === ''
          ? t.tools.askOther(tool.name)
          : t.tools.askRead(path);
  // The question goes; the keyboard stays at its card.
  const leave = () => box.current?.closest('[role="group"]')?.querySelector('button')?.focus();
  const allow = (scope: 'thread' | 'always') => {
    leave();
    void session.answer(part.toolCallId, { type: 'allow', scope });
  };
  const deny = () => {
    leave();
    const reason = word.trim();
    void session.answer(part.toolCallId, {
      type: 'deny',
      reason: reason === '' ? t.tools.denied : t.tools.deniedWith(reason),
    });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter and Esc answer for the buttons inside
    <div
      ref={box}
      className="my-2 rounded-md bg-waiting-soft p-3 text-sm"
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          deny();
        } else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) {
          event.preventDefault();
          if (word.trim() === '') allow('thread');
          else deny();
        }
      }}
    >
      <p>{sentence}</p>
      <label htmlFor={wordId} className="mt-2 block text-muted text-xs">
        {t.tools.denyReason}
      </label>
      <input
        id={wordId}
        value={word}
        onChange={(event) => setWord(event.target.value)}
        className="mt-0.5 h-8 w-full rounded-md border border-line-strong bg-surface px-2"
      />
      <div className="mt-2 flex flex-wrap gap-2" aria-describedby={scopeId}>
        <Button variant="primary" onClick={() => allow('thread')} aria-describedby={`${scopeId}-thread`}>
          {t.tools.allow}
        </Button>
        <Button onClick={() => allow('always')} aria-describedby={`${scopeId}-always`}>
          {t.tools.alwaysAllow}
        </Button>
        <Button variant="danger" onClick={deny}>
          {t.tools.deny}
        </Button>
      </div>
      <ul id={scopeId} className="mt-2 text-muted text-xs">
        <li id={`${scopeId}-thread`}>{t.tools.allowScope(tool.name)}</li>
        <li id={`${scopeId}-always`}>
          {t.tools.alwaysScope(t.controls.toolsetNames[tool.toolset] ?? tool.toolset, t.tools.effects[tool.effect])}
        </li>
      </ul>
    </div>
  );
}
