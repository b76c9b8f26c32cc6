'use client';

import { type FormEvent, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { CompletionRequest } from '#lib/mcp/completion.ts';
import { MCP_LIMITS } from '#lib/mcp/limits.ts';
import type { McpArgument } from '#lib/mcp/listed-content.ts';
import { SuggestedField } from './suggested-field.tsx';
import { useSuggestions } from './use-suggestions.ts';

interface ArgumentsDialogProps {
  server: string;
  /** Whether the server suggests values. */
  completes: boolean;
  title: string;
  description: string;
  /** What happens with the values. */
  help: string;
  /** What the main button says. */
  action: string;
  of: CompletionRequest['of'];
  arguments: readonly McpArgument[];
  onSubmit(args: Record<string, string>): void;
  onClose(): void;
}

/** Asks for the arguments of a prompt or of a resource template, with what the server suggests for them. */
export function ArgumentsDialog({
  server,
  completes,
  title,
  description,
  help,
  action,
  of,
  arguments: all,
  onSubmit,
  onClose,
}: ArgumentsDialogProps) {
  const t = useMessages();
  const texts = useServerTexts();
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [fault, setFault] = useState<string>();
  const { ask, suggestionsFor } = useSuggestions(server, of);
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
            maxLength: MCP_LIMITS.promptArgument,
            required: isRequired,
            ...(index === 0 && { 'data-initial-focus': true }),
          };
          const change = (value: string) => setValues(new Map([...values, [name, value]]));
          return (
            <div key={name}>
              {completes ? (
                <SuggestedField
                  {...shared}
                  suggestions={suggestionsFor(name)}
                  onChange={change}
                  onAsk={(value) => ask(name, value, values)}
                />
              ) : (
                <Field {...shared} onChange={({ target }) => change(target.value)} />
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
