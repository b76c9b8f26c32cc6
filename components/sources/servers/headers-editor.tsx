'use client';

import { Plus, X } from 'lucide-react';
import type { ServerTexts } from '#components/i18n/server-texts.ts';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { headerProblem } from '#lib/sources/mcp/server-config.ts';

/** An HTTP header as the person types it. `id`: tells the rows apart. */
export interface TypedHeader {
  id: number;
  name: string;
  value: string;
}

interface HeadersEditorProps {
  headers: readonly TypedHeader[];
  onChange(headers: readonly TypedHeader[]): void;
  /** The text that an empty value shows. */
  placeholder?: string;
}

/** Edits the headers that are sent with each request to a tool server or an HTTP API. */
export function HeadersEditor({ headers, onChange, placeholder }: HeadersEditorProps) {
  const texts = useServerTexts();
  const change = (id: number, change: Partial<TypedHeader>) =>
    onChange(headers.map((header) => (header.id === id ? { ...header, ...change } : header)));
  const input = 'h-9 min-w-0 rounded-md border border-line-strong bg-surface px-2';
  return (
    <fieldset className="grid gap-2 text-sm">
      <legend className="text-muted">{texts.headers}</legend>
      <p className="text-muted text-xs">{texts.headersHelp}</p>
      {headers.map(({ id, name, value }) => (
        <div key={id} className="flex gap-1">
          <input
            aria-label={texts.headerName}
            placeholder="Authorization"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={name}
            onChange={(event) => change(id, { name: event.target.value })}
            className={`${input} w-2/5`}
          />
          <input
            aria-label={texts.headerValue}
            placeholder={placeholder ?? 'Bearer …'}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={value}
            onChange={(event) => change(id, { value: event.target.value })}
            className={`${input} flex-1 ${value === '' ? '' : '[-webkit-text-security:disc]'}`}
          />
          <IconButton
            label={texts.removeHeader(name)}
            onClick={() => onChange(headers.filter((header) => header.id !== id))}
          >
            <X aria-hidden size={14} />
          </IconButton>
        </div>
      ))}
      <Button
        className="justify-self-start"
        onClick={() =>
          onChange([...headers, { id: Math.max(0, ...headers.map(({ id }) => id)) + 1, name: '', value: '' }])
        }
      >
        <Plus aria-hidden size={14} />
        {texts.addHeader}
      </Button>
    </fieldset>
  );
}

/** Describes the first fault in the headers; undefined if there is none. */
export function headersFault(headers: readonly TypedHeader[], texts: ServerTexts): string | undefined {
  for (const { name, value } of headers) {
    if (name.trim() === '' && value.trim() === '') continue;
    const problem = headerProblem(name.trim(), value.trim());
    if (problem === 'name') return texts.faults.headerName(name.trim());
    if (problem === 'own') return texts.faults.headerOwn(name.trim());
    if (problem === 'value') return texts.faults.headerValue(name.trim());
  }
  return undefined;
}

/** Returns the values of the headers that have both a name and a value, trimmed, by their names. */
export const filledIn = (headers: readonly TypedHeader[]): Record<string, string> =>
  Object.fromEntries(
    headers
      .filter(({ name, value }) => name.trim() !== '' && value.trim() !== '')
      .map(({ name, value }) => [name.trim(), value.trim()]),
  );
