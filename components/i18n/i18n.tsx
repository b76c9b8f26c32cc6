'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useSettings } from '#components/hooks/studio-provider.tsx';
import type { Messages } from './catalog.ts';
import { en } from './en.ts';
import { loadMessages, resolveLocale } from './languages.ts';

const MessagesContext = createContext<Messages>(en);

/** Returns the texts of the page in the person's language. */
export const useMessages = (): Messages => useContext(MessagesContext);

export function MessagesProvider({ initial, children }: { initial: Messages; children: ReactNode }) {
  const chosen = useSettings((settings) => settings.locale);
  const [messages, setMessages] = useState(initial);
  useEffect(() => {
    let current = true;
    const locale = resolveLocale(chosen);
    document.documentElement.lang = locale;
    void loadMessages(locale).then((loaded) => {
      if (current) setMessages(loaded);
    });
    return () => {
      current = false;
    };
  }, [chosen]);
  return <MessagesContext value={messages}>{children}</MessagesContext>;
}

/**
 * Provides texts in one language to the views inside, on a page without a studio, whose settings could change the language.
 */
export function FixedMessages({ messages, children }: { messages: Messages; children: ReactNode }) {
  useEffect(() => {
    document.documentElement.lang = messages.locale;
  }, [messages]);
  return <MessagesContext value={messages}>{children}</MessagesContext>;
}
