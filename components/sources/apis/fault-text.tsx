import type { ApiTexts } from '#components/i18n/api-texts.ts';
import { visibleText } from '#components/ui/visible-text.ts';

/** The file name by which fault messages refer to a typed API description, in front of the line number. */
export const DESCRIPTION_FILE = 'api.yaml';

/**
 * Replaces positions such as `api.yaml:3:` in a message about faults of an API description by words about the line, and
 * makes the text safe to show.
 */
export const faultWords = (fault: string, texts: ApiTexts): string =>
  visibleText(fault.replaceAll(/^api\.yaml:(\d+):/gm, (_, line: string) => texts.faults.line(line)));

/** Shows what is wrong with an input. Renders nothing without a fault. */
export const FaultText = ({ fault }: { fault: string | undefined }) =>
  fault === undefined ? null : (
    <p role="alert" className="max-h-40 overflow-y-auto whitespace-pre-wrap break-words text-failed text-sm">
      {fault}
    </p>
  );
