'use client';

import { useCallback, useEffect, useRef } from 'react';
import { useConversation } from '#components/hooks/conversation.ts';
import { MATCHES_MAX, type Match, searchPattern } from '#lib/threads/find/find.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import { type MatchPlace, placesIn, scrollToRange } from './dom-matches.ts';
import { highlight } from './highlights.ts';

/** The number of frames to wait for a match while its row is rendered and what hides it is opened. */
const SHOW_FRAMES = 30;

/** The number of frames in which a match is scrolled into view once it is there. */
const SETTLE_FRAMES = 12;

/** While the match's text is shown step by step, waiting counts against `SHOW_FRAMES` only after this many frames. */
const SHOW_FRAMES_MAX = 600;

/** The maximum number of matches that are marked at once: more than anyone can see. */
const MARKS_MAX = 2_000;

interface FoundMarks {
  session: ThreadSession;
  scroller: HTMLElement;
  query: string;
  /** The match that the user has gone to, which is marked in its own color; undefined if there is none. */
  current: Match | undefined;
}

/**
 * Marks the matches of `query` in the rows that are in the document, and `current`, the match that the user has gone to, in
 * its own color. Returns a function that scrolls to a match and opens what hides it.
 */
export function useFoundMarks({ session, scroller, query, current }: FoundMarks): (match: Match) => Promise<void> {
  const conversation = useConversation();
  const latest = useRef({ query, current });
  useEffect(() => {
    latest.current = { query, current };
    mark(scroller, query, current);
  }, [scroller, query, current]);

  // Rows come and go, open and close, and grow.
  useEffect(() => {
    let frame = 0;
    const changes = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => mark(scroller, latest.current.query, latest.current.current));
    });
    changes.observe(scroller, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      highlight('found', []);
      highlight('found-current', []);
    };
  }, [scroller]);

  const wanted = useRef<Match>(undefined);
  return useCallback(
    async (match) => {
      wanted.current = match;
      conversation.kept.of(session.threadId).reveal(match.part);
      let waited = 0;
      let shown = 0;
      for (let frame = 0; waited < SHOW_FRAMES && wanted.current === match; frame++) {
        // The row may have to come first, and again if the list was not ready.
        if (partOf(scroller, match.part) === null && frame % 10 === 0) await conversation.list?.show(match.messageId);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const place = placeOf(scroller, match, latest.current.query);
        place?.show?.();
        // A long list comes step by step.
        waited = place?.show === undefined || frame > SHOW_FRAMES_MAX ? waited + 1 : 0;
        if (place?.range === undefined) continue;
        conversation.list?.leaveEnd();
        scrollToRange(place.range, scroller);
        // Content around the match may still be rendered, and move the match away.
        if (++shown === SETTLE_FRAMES) return;
      }
    },
    [conversation, session, scroller],
  );
}

const PARTS = '[data-part], [data-call-id]';

const partOf = (scroller: HTMLElement, name: string): HTMLElement | null => {
  const value = CSS.escape(name);
  return scroller.querySelector<HTMLElement>(`[data-part="${value}"], [data-call-id="${value}"]`);
};

/** The place of a match; the last place if the document has fewer matches than the message. Undefined if it has none. */
function placeOf(scroller: HTMLElement, { part, ordinal }: Match, query: string): MatchPlace | undefined {
  const element = partOf(scroller, part);
  const pattern = searchPattern(query);
  if (element === null || pattern === undefined) return undefined;
  let last: MatchPlace | undefined;
  let at = 0;
  for (const place of placesIn(element, pattern)) {
    last = place;
    if (at++ === ordinal) break;
  }
  return last;
}

function mark(scroller: HTMLElement, query: string, current: Match | undefined): void {
  const pattern = searchPattern(query);
  const found = pattern === undefined ? [] : rangesIn(scroller, pattern);
  const range = current === undefined ? undefined : placeOf(scroller, current, query)?.range;
  highlight('found', found);
  highlight('found-current', range === undefined ? [] : [range]);
}

/** The ranges of the matches in the document, at most `MARKS_MAX`. Matches in text that is not shown yet are left out. */
function rangesIn(scroller: HTMLElement, pattern: RegExp): Range[] {
  const found: Range[] = [];
  for (const part of scroller.querySelectorAll(PARTS)) {
    let looked = 0;
    for (const { range } of placesIn(part, pattern)) {
      if (range !== undefined) found.push(range);
      if (found.length === MARKS_MAX) return found;
      if (++looked === MATCHES_MAX) break;
    }
  }
  return found;
}
