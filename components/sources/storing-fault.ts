import type { ServerTexts } from '#components/i18n/server-texts.ts';
import { VaultLocked } from '#lib/keys/key-vault.ts';

/** Returns a text that says why a tool server or an HTTP API could not be stored. */
export const storingFault = (error: unknown, texts: ServerTexts): string =>
  error instanceof VaultLocked
    ? texts.faults.locked
    : texts.faults.stored(error instanceof Error ? error.message : String(error));
