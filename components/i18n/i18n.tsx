'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useSettings } from '#components/hooks/studio-provider.tsx';
import { en, type Messages } from './en.ts';

export type Locale = 'en' | 'zh-CN';

/** A language's catalog is loaded when it is first needed; English comes with the page. */
const LOADERS: Record<Locale, () => Promise<Messages>> = {
  en: async () => en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCn,
};

/** The languages a person can choose, each by its own name. */
export const LOCALES: readonly { locale: Locale; name: string }[] = [
  { locale: 'en', name: 'English' },
  { locale: 'zh-CN', name: '简体中文' },
];

const MessagesContext = createContext<Messages>(en);

/** The texts of the studio in the person's language. */
export const useMessages = (): Messages => useContext(MessagesContext);

/** The UI language: the user's choice, or else the browser's first language that has a catalog. */
export function resolveLocale(chosen: Locale | null, browser: readonly string[] = navigator.languages): Locale {
  if (chosen !== null) return chosen;
  for (const language of browser) {
    if (language.startsWith('zh')) return 'zh-CN';
    if (language.startsWith('en')) return 'en';
  }
  return 'en';
}

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

/** The texts of a catalog, where there is no studio whose settings could change them. */
export function FixedMessages({ messages, children }: { messages: Messages; children: ReactNode }) {
  useEffect(() => {
    document.documentElement.lang = messages.locale;
  }, [messages]);
  return <MessagesContext value={messages}>{children}</MessagesContext>;
}

/** The catalog of a language; English when it cannot be loaded. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  try {
    return await LOADERS[locale]();
  } catch {
    return en;
  }
}
