import type { ApiTexts } from '#components/i18n/api-texts.ts';
import { visibleText } from '#components/ui/visible-text.ts';

/** The name of a description in faults, in front of the line. */
export const DESCRIPTION = 'api.yaml';

/** The faults of a description in words, with their lines. */
export const faultWords = (fault: string, texts: ApiTexts): string =>
  visibleText(fault.replaceAll(/^api\.yaml:(\d+):/gm, (_, line: string) => texts.faults.line(line)));

/** Shows what is wrong with an input, next to it. */
export const FaultText = ({ fault }: { fault: string | undefined }) =>
  fault === undefined ? null : (
    <p role="alert" className="max-h-40 overflow-y-auto whitespace-pre-wrap break-words text-failed text-sm">
      {fault}
    </p>
  );
