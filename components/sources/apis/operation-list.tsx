'use client';

import { useMemo, useState } from 'react';
import { useApiTexts } from '#components/i18n/use-api-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { ListedOperation } from '#lib/sources/http-api/openapi/operations.ts';

/** The maximum number of operations that are shown at once. Searching finds the others. */
const SHOWN_MAX = 200;

interface OperationListProps {
  operations: readonly ListedOperation[];
  /** The names of the chosen operations. */
  chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

/** A list in which operations of an OpenAPI document can be searched and chosen. */
export function OperationList({ operations, chosen, onChange }: OperationListProps) {
  const texts = useApiTexts();
  const [query, setQuery] = useState('');
  const searchable = useMemo(
    () =>
      operations.map((operation) => ({
        operation,
        text: `${operation.name} ${operation.method} ${operation.path} ${operation.summary}`.toLowerCase(),
      })),
    [operations],
  );
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = searchable.filter(({ text }) => words.every((word) => text.includes(word)));
  const shown = found.slice(0, SHOWN_MAX).map(({ operation }) => operation);
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  const chooseShown = () =>
    onChange(new Set([...chosen, ...shown.flatMap(({ name, problem }) => (problem === undefined ? [name] : []))]));
  return (
    <fieldset className="grid gap-2">
      <legend className="text-muted">{texts.operations}</legend>
      <Field label={texts.search} type="search" value={query} onChange={(event) => setQuery(event.target.value)} />
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="mr-auto text-muted">
          {texts.chosen(chosen.size, operations.length)}
        </span>
        <Button onClick={chooseShown}>{texts.chooseShown}</Button>
        <Button onClick={() => onChange(new Set())}>{texts.chooseNone}</Button>
      </div>
      {shown.length === 0 ? <p className="text-muted">{texts.noMatch}</p> : null}
      <ul aria-label={texts.operations} className="max-h-72 overflow-y-auto rounded-md border border-line">
        {shown.map((operation) => (
          <Operation
            key={operation.name}
            operation={operation}
            isChosen={chosen.has(operation.name)}
            onToggle={() => toggle(operation.name)}
          />
        ))}
      </ul>
      {found.length > shown.length ? <p className="text-muted">{texts.more(found.length - shown.length)}</p> : null}
    </fieldset>
  );
}

interface OperationProps {
  operation: ListedOperation;
  isChosen: boolean;
  onToggle(): void;
}

function Operation({ operation, isChosen, onToggle }: OperationProps) {
  const texts = useApiTexts();
  const { name, method, path, summary, isDeprecated, problem } = operation;
  return (
    <li className="border-line border-b last:border-b-0">
      <label className={`flex gap-2 px-2 py-1 ${problem === undefined ? 'hover:bg-hover' : 'text-muted'}`}>
        <input
          type="checkbox"
          className="mt-1 shrink-0"
          checked={isChosen}
          disabled={problem !== undefined}
          onChange={onToggle}
        />
        <span className="min-w-0 break-words">
          <span className="font-mono text-[13px]">
            {method} {visibleText(path)}
          </span>
          {isDeprecated ? <span className="ml-2 text-denied text-xs">{texts.deprecated}</span> : null}
          <span className="line-clamp-2 block text-muted text-xs">
            {[name, visibleText(problem ?? summary)].filter(Boolean).join(' · ')}
          </span>
        </span>
      </label>
    </li>
  );
}
