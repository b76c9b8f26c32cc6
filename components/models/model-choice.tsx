'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { Stethoscope } from 'lucide-react';
import { type Ref, useMemo, useRef, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useModelTexts } from '#components/i18n/use-model-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { type Connection, personalModelId } from '#studio/connections/connection.ts';

const ROW_HEIGHT = 32;

interface ModelChoiceProps {
  connection: Connection;
  /** Gets the search field, which long lists have. If given, the field has the focus at first. */
  searchRef?: Ref<HTMLInputElement>;
}

/** A list to choose which models of a connection are offered. There may be thousands. */
export function ModelChoice({ connection, searchRef }: ModelChoiceProps) {
  const texts = useModelTexts();
  const { connections } = useStudio();
  const { openModelSettings } = useWorkbench();
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
        <Field
          label={texts.connections.findModel}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          {...(searchRef !== undefined && { ref: searchRef, autoFocus: true })}
        />
      ) : null}
      <div ref={list} className="max-h-64 overflow-y-auto rounded-md border border-line">
        <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const model = found[index];
            if (model === undefined) return null;
            return (
              <li
                key={model.model}
                className="absolute inset-x-0 flex items-center hover:bg-hover"
                style={{ top: start, height: ROW_HEIGHT }}
              >
                <label className="flex h-full min-w-0 flex-1 items-center gap-2 px-2">
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
                {model.isShown ? (
                  <IconButton
                    label={texts.use.openFor(model.name ?? model.model)}
                    size="small"
                    onClick={() => openModelSettings(personalModelId(connection, model.model))}
                  >
                    <Stethoscope aria-hidden size={14} />
                  </IconButton>
                ) : null}
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
