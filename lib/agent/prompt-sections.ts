import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import type { PromptSections } from '#lib/messages/message.ts';
import { type HistoryUnit, type SendsReasoning, unitTokens } from './history.ts';
import { MESSAGE_TOKENS } from './tokens.ts';

/**
 * The sizes of those sections of a prompt that do not depend on its messages: the system prompt, the workspace's instructions
 * (`project`), the tools, and the instructions for using the tools (`protocol`).
 */
export type FixedSections = Pick<PromptSections, 'system' | 'project' | 'tools' | 'protocol'>;

/**
 * Returns the number of estimated tokens that each section of a prompt takes. Results and files in the last of `units` count as
 * `results`, files in earlier ones as `files`, and all else in the units as `history`. Files are attachments, and results of
 * calls that touched files. `fixed`: the sections that do not depend on the messages. `sends`: checks whether a step's
 * reasoning counts; if undefined, only the current turn's does.
 */
export function sectionsOf(
  fixed: FixedSections,
  { summary, units }: { summary: string; units: readonly HistoryUnit[] },
  sends: SendsReasoning | undefined,
): PromptSections {
  const sections = { ...fixed, summary: summaryTokens(summary), history: 0, files: 0, results: 0 };
  for (const [index, unit] of units.entries()) {
    const all = unitTokens(unit, sends);
    const { files, results } = contentsOf(unit, sends);
    const isLatest = index === units.length - 1;
    // The latest results are what the model works with, whatever is in them.
    if (isLatest) sections.results += files + results;
    else sections.files += files;
    sections.history += all - files - (isLatest ? results : 0);
  }
  return sections;
}

/** The size of a summary in a prompt, in estimated tokens; 0 if the summary is empty. */
export const summaryTokens = (summary: string): number =>
  summary === '' ? 0 : estimateTokens(summary) + MESSAGE_TOKENS;

/**
 * Returns the size of the files in a unit, which are attachments and results of calls that touched files, and that of its other
 * results, in estimated tokens.
 */
function contentsOf(unit: HistoryUnit, sends: SendsReasoning | undefined): { files: number; results: number } {
  if (unit.role === 'user') {
    const texts = {
      ...unit,
      message: { ...unit.message, parts: unit.message.parts.filter(({ type }) => type === 'text') },
    };
    return { files: unitTokens(unit, sends) - unitTokens(texts, sends), results: 0 };
  }
  const sizeWith = (isLeftOut: (hasFiles: boolean) => boolean) =>
    unitTokens(
      {
        ...unit,
        parts: unit.parts.map((part) =>
          part.type === 'tool-call' && isLeftOut((part.result?.files ?? []).length > 0)
            ? { ...part, result: undefined }
            : part,
        ),
      },
      sends,
    );
  const all = unitTokens(unit, sends);
  const files = all - sizeWith((hasFiles) => hasFiles);
  return { files, results: all - files - sizeWith(() => true) };
}

/**
 * Converts the sizes of a prompt's sections from estimated tokens to the model's own. `scale`: how many of the model's own
 * make up an estimated one.
 */
export const scaledSections = (sections: PromptSections, scale: number): PromptSections =>
  Object.fromEntries(
    Object.entries(sections).map(([name, tokens]) => [name, Math.round(tokens * scale)]),
  ) as PromptSections;

/** Returns the size of a prompt, which is the sum of its sections. */
export const totalOf = (sections: PromptSections): number =>
  Object.values(sections).reduce((sum, tokens) => sum + tokens, 0);
