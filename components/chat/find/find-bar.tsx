'use client';

import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type FindRequest, useConversation } from '#components/hooks/conversation.ts';
import { useSession, useThreads } from '#components/hooks/studio-provider.tsx';
import { endTypeAhead } from '#components/hooks/type-ahead.ts';
import { findTexts } from '#components/i18n/find-texts.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { focusComposer } from '#components/ui/focus.ts';
import type { Message } from '#lib/messages/message.ts';
import { MATCHES_MAX, type Match } from '#lib/threads/find/find.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { useFoundMarks } from './use-found-marks.ts';
import { useMatches } from './use-matches.ts';

interface FindBarProps {
  request: FindRequest;
  scroller: HTMLElement;
}

/**
 * The bar that finds text in the open branch, which has one version of each message of the thread, including messages whose
 * rows are not in the document.
 */
export default function FindBar(props: FindBarProps) {
  const session = useThreads((state) => state.session);
  const branch = useSession(session, (snapshot) => snapshot.branch);
  return session === undefined || branch === undefined ? null : (
    <Find key={session.threadId} {...props} session={session} branch={branch} />
  );
}

interface FindProps extends FindBarProps {
  session: ThreadSession;
  branch: readonly Message[];
}

function Find({ request, scroller, session, branch }: FindProps) {
  const t = useMessages();
  const texts = t.find ?? findTexts;
  const conversation = useConversation();
  const [query, setQuery] = useState(request.query);
  const [chosen, setChosen] = useState<Match>();
  const input = useRef<HTMLInputElement>(null);
  const matches = useMatches(branch, query);
  const index =
    matches === undefined || chosen === undefined ? -1 : matches.findIndex((match) => isSame(match, chosen));
  const show = useFoundMarks({ session, scroller, query, current: index === -1 ? undefined : chosen });

  // The query and the request for which the first match was already shown.
  const searched = useRef<{ request: FindRequest; query: string }>(undefined);
  useLayoutEffect(() => {
    const ahead = endTypeAhead().text;
    setQuery((typed) => ahead || request.query || typed);
    input.current?.focus();
    if (ahead === '') input.current?.select();
  }, [request]);

  const choose = (match: Match) => {
    setChosen(match);
    void show(match);
  };
  // A new query goes to the first match from where the reader is.
  useEffect(() => {
    const { current } = searched;
    if (matches === undefined || (current?.query === query && current.request === request)) return;
    searched.current = { request, query };
    const place = current?.request === request ? undefined : request.at;
    const from = branch.findIndex(({ id }) => id === (place ?? conversation.list?.firstInView()));
    const positions = new Map(branch.map(({ id }, position) => [id, position]));
    const match = matches.find(({ messageId }) => (positions.get(messageId) ?? 0) >= from) ?? matches[0];
    setChosen(match);
    if (match !== undefined) void show(match);
  }, [matches, query, request, branch, conversation, show]);

  const go = (step: 1 | -1) => {
    if (matches === undefined || matches.length === 0) return;
    const next = matches[(Math.max(index, step === 1 ? -1 : 0) + step + matches.length) % matches.length];
    if (next !== undefined) choose(next);
  };
  const close = () => {
    conversation.closeFind();
    focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const total = matches?.length ?? 0;
  return (
    <search
      aria-label={texts.title}
      className="flex h-11 shrink-0 items-center gap-1 border-line border-b bg-sunken px-2 text-sm print:hidden"
      onKeyDown={onKeyDown}
    >
      <label className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md border border-line bg-surface px-2 focus-within:border-accent">
        <Search aria-hidden size={14} className="shrink-0 text-muted" />
        <input
          ref={input}
          type="text"
          aria-label={texts.title}
          placeholder={texts.title}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted"
        />
      </label>
      <span role="status" className="shrink-0 text-muted text-xs tabular-nums">
        {query.trim() === '' || matches === undefined
          ? ''
          : total === 0
            ? texts.nothing
            : texts.position(index + 1, total, total === MATCHES_MAX)}
      </span>
      <IconButton label={texts.previous} disabled={total === 0} onClick={() => go(-1)}>
        <ChevronUp aria-hidden size={16} />
      </IconButton>
      <IconButton label={texts.next} disabled={total === 0} onClick={() => go(1)}>
        <ChevronDown aria-hidden size={16} />
      </IconButton>
      <IconButton label={t.common.close} onClick={close}>
        <X aria-hidden size={16} />
      </IconButton>
    </search>
  );
}

const isSame = (a: Match, b: Match): boolean =>
  a.messageId === b.messageId && a.part === b.part && a.ordinal === b.ordinal;
