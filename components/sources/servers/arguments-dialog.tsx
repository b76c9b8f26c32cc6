'use client';

import { type FormEvent, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { SuggestedField } from './suggested-field.tsx';
import type { useSuggestions } from './use-suggestions.ts';

interface ArgumentsDialogProps {
  title: string;
  description: string;
  /** A text that explains what the server does with the values that the person enters. */
  help: string;
  /** The label of the main button. */
  action: string;
  arguments: readonly { name: string; description: string; isRequired: boolean }[];
  /** The values that the person filled in the last time. */
  values?: Readonly<Record<string, string>>;
  /** The maximum length of a value, in characters. */
  argumentMax: number;
  /** The tool server's suggestions for values; undefined if it makes none. */
  suggestions?: ReturnType<typeof useSuggestions> | undefined;
  onSubmit(args: Record<string, string>): void;
  onClose(): void;
}

/**
 * Asks for the arguments of a prompt, which is a text to insert into the message, or of a resource template, which is the
 * pattern of an address. `values`: those to begin with. `action`: the label of the main button. `suggestions`: those of the
 * tool server, if it makes any. `onSubmit`: gets the values that are not empty, by name.
 */
export function ArgumentsDialog({
  title,
  description,
  help,
  action,
  arguments: all,
  values: before = {},
  argumentMax,
  suggestions,
  onSubmit,
  onClose,
}: ArgumentsDialogProps) {
  const t = useMessages();
  const texts = useServerTexts();
  const [values, setValues] = useState<ReadonlyMap<string, string>>(() => new Map(Object.entries(before)));
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = all.find(({ name, isRequired }) => isRequired && (values.get(name) ?? '').trim() === '');
    setFault(missing && texts.content.missing(visibleText(missing.name)));
    if (missing === undefined) onSubmit(Object.fromEntries([...values].filter(([, value]) => value !== '')));
  };
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form noValidate onSubmit={submit} className="grid gap-3">
        {description === '' ? null : (
          <p className="max-h-40 overflow-y-auto whitespace-pre-wrap break-words text-sm">{visibleText(description)}</p>
        )}
        {all.map(({ name, description: about, isRequired }, index) => {
          const shared = {
            label: isRequired ? visibleText(name) : texts.form.optional(visibleText(name)),
            value: values.get(name) ?? '',
            maxLength: argumentMax,
            required: isRequired,
            ...(index === 0 && { 'data-initial-focus': true }),
          };
          const change = (value: string) => setValues(new Map([...values, [name, value]]));
          return (
            <div key={name}>
              {suggestions === undefined ? (
                <Field {...shared} onChange={({ target }) => change(target.value)} />
              ) : (
                <SuggestedField
                  {...shared}
                  suggestions={suggestions.suggestionsFor(name)}
                  onChange={change}
                  onAsk={(value) => suggestions.ask(name, value, values)}
                />
              )}
              {about === '' ? null : <p className="mt-1 break-words text-muted text-xs">{visibleText(about)}</p>}
            </div>
          );
        })}
        <p className="text-muted text-xs">{help}</p>
        {fault === undefined ? null : (
          <p role="alert" className="text-failed text-sm">
            {fault}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary">
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
