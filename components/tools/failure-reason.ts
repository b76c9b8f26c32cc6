import type { ToolTexts } from '#components/i18n/tool-texts.ts';
import { visibleText } from '#components/ui/visible-text.ts';

/** The maximum length of a reason on the line of a card, in characters. */
const REASON_MAX = 300;

/**
 * Says in a few words why a call failed: the words for a file system's error code, if the message begins with one, as in
 * “ENOENT: …: /a.txt”, or else the message's first line. `message`: as the model gets it.
 */
export function failureReason(message: string, texts: Pick<ToolTexts, 'reasons'>): string {
  const [line = ''] = message.split('\n', 1);
  const code = /^(E[A-Z]+): /.exec(line)?.[1];
  const known = new Map<string, string>(Object.entries(texts.reasons));
  return (
    (code === undefined ? undefined : known.get(code)) ?? visibleText(line.slice(0, REASON_MAX).replace(/:$/, '…'))
  );
}
