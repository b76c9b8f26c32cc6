import { useMessages } from './i18n.tsx';
import { type ServerTexts, serverTexts } from './server-texts.ts';

/** The texts about tool servers in the person's language. */
export const useServerTexts = (): ServerTexts => useMessages().toolServers ?? serverTexts;
