'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { Field } from '#components/ui/field.tsx';
import type { Connection } from '#studio/connections/connection.ts';

const ROW_HEIGHT = 32;

/** Chooses which models of a connection are offered. Lists may have thousands. */
export function ModelChoice({ connection }: { connection: Connection }) {
  const texts = useModelTexts();
  const { connections } = useStudio();
  const [search, setSearch] = useState('');
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return connection.models.filter(({ model, name = '' }) =>
      words.every((word) => `${model} ${name}`.toLowerCase().includes(word)),
    );
  }, [connection.models, search]);
  const list = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: found.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const shown = connection.models.filter(({ isShown }) => isShown).length;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-muted">{texts.connections.pickModels}</legend>
      {connection.models.length > 10 ? (
        <Field label={texts.connections.findModel} value={search} onChange={(event) => setSearch(event.target.value)} />
      ) : null}
      <div ref={list} className="max-h-64 overflow-y-auto rounded-md border border-line">
        <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const model = found[index];
            if (model === undefined) return null;
            return (
              <li key={model.model} className="absolute inset-x-0" style={{ top: start, height: ROW_HEIGHT }}>
                <label className="flex h-full items-center gap-2 px-2 hover:bg-hover">
                  <input
                    type="checkbox"
                    checked={model.isShown}
                    onChange={(event) =>
                      void connections.changeModel(connection.id, model.model, { isShown: event.target.checked })
                    }
                  />
                  <span className="truncate" title={model.model}>
                    {model.name ?? model.model}
                  </span>
                </label>
              </li>
            );
          })}
        </ul>
      </div>
      <p role="status" className="text-muted text-xs">
        {texts.connections.picked(shown)}
      </p>
    </fieldset>
  );
}
