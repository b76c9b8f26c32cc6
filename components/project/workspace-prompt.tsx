'use client';

import { useEffect, useRef } from 'react';
import { useProjectTexts } from '#components/i18n/use-project-texts.ts';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { ArgumentsDialog } from '#components/sources/servers/arguments-dialog.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { filledPrompt, type PromptFile } from '#studio/project/prompt-file.ts';
import { PROMPT_LIMITS } from '#studio/project/prompt-limits.ts';

/** A prompt in a file of the workspace: a text that the person has chosen to insert into the message. */
export interface WantedPrompt {
  type: 'prompt-file';
  name: string;
  prompt: PromptFile;
}

interface WorkspacePromptProps {
  wanted: WantedPrompt;
  onText(text: string): void;
  onClose(): void;
}

/** Asks for a prompt's arguments, if it has any, and passes the text of the prompt with its arguments to `onText`. */
export default function WorkspacePrompt({ wanted: { name, prompt }, onText, onClose }: WorkspacePromptProps) {
  const texts = useProjectTexts();
  const { content } = useServerTexts();
  const insert = (given: Readonly<Record<string, string>>) => {
    onClose();
    // With invisible characters as escapes, so that the person can read all of the text before sending it.
    onText(visibleText(filledPrompt(prompt, given)));
  };
  const latest = useRef(insert);
  latest.current = insert;
  const isComplete = prompt.arguments.length === 0;
  useEffect(() => {
    if (isComplete) latest.current({});
  }, [isComplete]);
  return isComplete ? null : (
    <ArgumentsDialog
      title={content.promptTitle(visibleText(name))}
      description={prompt.description}
      help={texts.promptHelp}
      action={content.insert}
      arguments={prompt.arguments}
      argumentMax={PROMPT_LIMITS.argument}
      onSubmit={insert}
      onClose={onClose}
    />
  );
}
