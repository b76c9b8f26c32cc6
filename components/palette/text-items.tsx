'use client';

import { Command } from 'cmdk';
import { FileSearch, MessageSquareQuote } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStudio, useThreads, useWorkspace } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useCommandTexts } from '#components/i18n/use-command-texts.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import type { FoundLine } from '#lib/threads/find/find.ts';
import type { TextMatch } from '#lib/tools/capabilities/workspace-search.ts';
import { searchThreads } from '#studio/thread-search.ts';
import { GROUP_CLASS, PaletteItem } from './palette-item.tsx';

/** The pause in typing after which texts are searched, in milliseconds. */
const DELAY_MS = 250;

/** The fewest characters that are searched for. Shorter texts are in too many places. */
const SEARCH_MIN = 3;

/** The maximum number of lines of files, and of messages, that are listed. Other searches, which show more, find the rest. */
const LINES_MAX = 6;

interface FoundMessage {
  threadId: string;
  title: string;
  messageId: string;
  line: FoundLine;
}

/** Lists lines of files and messages that contain `search`. `run` makes a handler that closes the palette, then acts. */
export function TextItems({ search, run }: { search: string; run(action: () => void): () => void }) {
  const t = useMessages();
  const texts = useCommandTexts();
  const { openFile, openMessage } = useWorkbench();
  const query = search.trim();
  const { lines, messages } = useFoundTexts(query);
  return (
    <>
      {lines.length === 0 ? null : (
        <Command.Group heading={texts.inFiles} className={GROUP_CLASS}>
          {lines.map(({ path, line, column, length, text }) => (
            <PaletteItem
              key={`${path}:${line}`}
              value={`text ${path}:${line}`}
              keywords={[query]}
              icon={FileSearch}
              onSelect={run(() => openFile(path, { line, column, length }))}
            >
              <span className="min-w-0 flex-1 truncate font-mono text-[13px]">{visibleText(text.trim())}</span>
              <span className="max-w-[40%] truncate text-muted text-xs">
                {visibleText(path)}:{line}
              </span>
            </PaletteItem>
          ))}
        </Command.Group>
      )}
      {messages.length === 0 ? null : (
        <Command.Group heading={texts.inMessages} className={GROUP_CLASS}>
          {messages.map(({ threadId, title, messageId, line }) => (
            <PaletteItem
              key={messageId}
              value={`message ${messageId}`}
              keywords={[query]}
              icon={MessageSquareQuote}
              onSelect={run(() => openMessage(threadId, messageId, query))}
            >
              <span className="min-w-0 flex-1 truncate">
                {line.before}
                <mark className="bg-[var(--found)] text-[var(--found-text)]">{line.match}</mark>
                {line.after}
              </span>
              <span dir="auto" className="max-w-[40%] truncate text-left text-muted text-xs">
                {title || t.threads.untitled}
              </span>
            </PaletteItem>
          ))}
        </Command.Group>
      )}
    </>
  );
}

/**
 * Searches the files of the workspace and the messages of all threads for `query`, `DELAY_MS` after the last key. Until
 * then, the last results stay if `query` only continues their query; otherwise there are none.
 */
function useFoundTexts(query: string): { lines: readonly TextMatch[]; messages: readonly FoundMessage[] } {
  const { store } = useStudio();
  const workspace = useWorkspace();
  const threads = useThreads((state) => state.threads);
  // Threads that change while the palette is open are found when it is opened again.
  const [searched] = useState(threads);
  const [found, setFound] = useState<{ query: string; lines: readonly TextMatch[]; messages: FoundMessage[] }>();
  useEffect(() => {
    if (query.length < SEARCH_MIN) return setFound(undefined);
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const { signal } = stop;
      const textQuery = {
        path: '/',
        pattern: query,
        isLiteral: true,
        ignoreCase: true,
        contextLines: 0,
        limit: LINES_MAX,
      };
      // A search that fails finds nothing here. The file search says why.
      const inFiles = workspace?.runner.text(textQuery, { abortSignal: signal }).catch(() => undefined);
      const messages: FoundMessage[] = [];
      for await (const { thread, lines } of searchThreads(store, searched, query, signal)) {
        for (const { messageId, line } of lines)
          messages.push({ threadId: thread.id, title: thread.title, messageId, line });
        if (messages.length >= LINES_MAX) break;
      }
      const lines = (await inFiles)?.matches ?? [];
      if (!signal.aborted) setFound({ query, lines, messages: messages.slice(0, LINES_MAX) });
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, workspace, store, searched]);
  return found !== undefined && query.startsWith(found.query) ? found : { lines: [], messages: [] };
}
