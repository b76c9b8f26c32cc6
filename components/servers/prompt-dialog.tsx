'use client';

import { type FormEvent, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { visibleText } from '#components/ui/visible-text.ts';

/** A prompt of a tool server, or of the workspace, as far as it is shown. */
interface AskedPrompt {
  name: string;
  title?: string | undefined;
  /** Empty if there is none. */
  description: string;
  arguments: readonly { name: string; description: string; isRequired: boolean }[];
}

interface PromptDialogProps {
  prompt: AskedPrompt;
  /** What happens with the arguments. */
  help: string;
  /** The longest argument, in characters. */
  argumentMax: number;
  onSubmit(args: Record<string, string>): void;
  onClose(): void;
}

/** Asks for a prompt's arguments. */
export function PromptDialog({ prompt, help, argumentMax, onSubmit, onClose }: PromptDialogProps) {
  const t = useMessages();
  const texts = useServerTexts();
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = prompt.arguments.find(
      ({ name, isRequired }) => isRequired && (values.get(name) ?? '').trim() === '',
    );
    setFault(missing && texts.content.missing(visibleText(missing.name)));
    if (missing === undefined) onSubmit(Object.fromEntries([...values].filter(([, value]) => value !== '')));
  };
  return (
    <Dialog open onOpenChange={onClose} title={texts.content.promptTitle(visibleText(prompt.title ?? prompt.name))}>
      <form noValidate onSubmit={submit} className="grid gap-3">
        {prompt.description === '' ? null : (
          <p className="max-h-40 overflow-y-auto whitespace-pre-wrap break-words text-sm">
            {visibleText(prompt.description)}
          </p>
        )}
        {prompt.arguments.map(({ name, description, isRequired }, index) => (
          <div key={name}>
            <Field
              label={isRequired ? visibleText(name) : texts.form.optional(visibleText(name))}
              value={values.get(name) ?? ''}
              maxLength={argumentMax}
              required={isRequired}
              {...(index === 0 && { 'data-initial-focus': true })}
              onChange={({ target }) => setValues(new Map([...values, [name, target.value]]))}
            />
            {description === '' ? null : (
              <p className="mt-1 break-words text-muted text-xs">{visibleText(description)}</p>
            )}
          </div>
        ))}
        <p className="text-muted text-xs">{help}</p>
        {fault === undefined ? null : (
          <p role="alert" className="text-failed text-sm">
            {fault}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary">
            {texts.content.insert}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
