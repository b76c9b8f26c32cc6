'use client';

import * as Dialog from '@radix-ui/react-dialog';
import { Command } from 'cmdk';
import { FileText, MessageSquare, Plus, Settings } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  useCurrentModelId,
  useModels,
  useStudio,
  useThreads,
  useWorkspaceTree,
} from '#components/hooks/studio-provider.tsx';
import { endTypeAhead } from '#components/hooks/type-ahead.ts';
import { type PaletteMode, SETTINGS_SECTIONS, useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { focusPlace, returnFocus } from '#components/ui/focus.ts';
import { ShortcutKeys } from '#components/ui/keys.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { chooseModel } from '#studio/choose-model.ts';
import { bestMatches, scoreOf } from './best-matches.ts';
import { ModelItems } from './model-items.tsx';
import { GROUP_CLASS, ITEM_CLASS, PaletteItem } from './palette-item.tsx';
import { TextItems } from './text-items.tsx';
import { useCommands } from './use-commands.tsx';

interface PaletteProps {
  mode: PaletteMode;
  /** Called once the person has chosen a model. */
  onChosen?(): void;
  onClose(): void;
}

/**
 * Finds everything by typing: commands, threads, files, settings, models, and text in files and messages; or, depending on
 * `mode`, only files or models. `onChosen`: called when a model was chosen.
 */
export default function CommandPalette({ mode, onChosen, onClose }: PaletteProps) {
  const t = useAllMessages();
  const [opener] = useState(focusPlace);
  const titles: Record<PaletteMode, string> = {
    commands: t.palette.title,
    files: t.palette.quickOpen,
    models: t.palette.chooseModel,
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/30" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus(opener);
          }}
          className="fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-raised shadow-float"
        >
          <Dialog.Title className="sr-only">{titles[mode]}</Dialog.Title>
          <Jump mode={mode} {...(onChosen !== undefined && { onChosen })} onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const INPUT_CLASS = 'h-11 w-full border-line border-b bg-transparent px-4 text-sm outline-none placeholder:text-muted';
const LIST_CLASS = 'max-h-[50dvh] overflow-y-auto p-1';

function Jump({ mode, onChosen, onClose }: PaletteProps) {
  const t = useAllMessages();
  const studio = useStudio();
  const workbench = useWorkbench();
  const threads = useThreads((state) => state.threads);
  const policy = useModels((state) => state.list?.personal);
  const currentModel = useCurrentModelId();
  const settingsTexts = useSettingsTexts();
  const items = useWorkspaceTree((state) => state.items);
  const [search, setSearch] = useState('');
  useEffect(() => {
    const ahead = endTypeAhead();
    if (ahead.isEntered) setEntered(true);
    // Rendered at once, because the next key would replace text that the field does not show yet.
    if (ahead.text !== '') queueMicrotask(() => flushSync(() => setSearch(ahead.text)));
  }, []);
  const [isEntered, setEntered] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  // Enter was pressed before there was a match, such as a file that is still being listed. It takes the first that comes.
  useEffect(() => {
    if (!isEntered) return;
    const timer = setInterval(() => {
      const best = bestItemIn(list.current);
      if (best == null) return;
      clearInterval(timer);
      best.click();
    }, 50);
    return () => clearInterval(timer);
  }, [isEntered]);
  const files = useMemo(() => {
    const all = [...(items?.values() ?? [])].filter(({ isDirectory }) => !isDirectory);
    return bestMatches(all, search, ({ path }) => path, MAX_FILES).map(({ path }) => path);
  }, [items, search]);
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const commands = useCommands();
  const placeholders = {
    commands: t.palette.placeholder,
    files: t.palette.quickOpenPlaceholder,
    models: t.palette.chooseModelPlaceholder,
  };
  return (
    <Command
      label={mode === 'models' ? t.palette.chooseModelPlaceholder : t.palette.title}
      // Models are found and ordered by their own rules.
      shouldFilter={mode !== 'models'}
      filter={matchOf}
      {...(mode === 'models' && currentModel !== null && { defaultValue: currentModel })}
    >
      {/* The dialog focuses it, and so takes the focus back if a menu that closes gives it to its button. */}
      <Command.Input
        value={search}
        onValueChange={(value) => {
          setEntered(false);
          setSearch(value);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && bestItemIn(list.current) == null) setEntered(true);
        }}
        placeholder={placeholders[mode]}
        className={INPUT_CLASS}
      />
      <Command.List ref={list} className={LIST_CLASS}>
        <Command.Empty className="p-4 text-muted text-sm">{t.palette.nothing}</Command.Empty>
        {mode === 'commands' ? (
          <>
            <Command.Group heading={t.palette.commands} className={GROUP_CLASS}>
              {commands.map(({ label, icon, shortcut, run: action }) => (
                <PaletteItem key={label} value={label} icon={icon} onSelect={run(action)}>
                  <span className="min-w-0 flex-1 truncate">{label}</span>
                  {shortcut === undefined ? null : <ShortcutKeys id={shortcut} />}
                </PaletteItem>
              ))}
            </Command.Group>
            <Command.Group heading={t.palette.threads} className={GROUP_CLASS}>
              {threads.map(({ id, title }) => (
                <PaletteItem
                  key={id}
                  value={`${title} ${id}`}
                  icon={MessageSquare}
                  onSelect={run(() => workbench.openThread(id))}
                >
                  <span dir="auto" className="truncate text-left">
                    {title || t.threads.untitled}
                  </span>
                </PaletteItem>
              ))}
            </Command.Group>
          </>
        ) : null}
        {mode === 'models' ? null : (
          <Command.Group heading={t.palette.files} className={GROUP_CLASS}>
            {files.map((path) => (
              <PaletteItem
                key={path}
                value={path}
                icon={FileText}
                onSelect={run(() => workbench.openFile(path, 'here'))}
              >
                <span className="truncate font-mono text-[13px]">{visibleText(path)}</span>
              </PaletteItem>
            ))}
          </Command.Group>
        )}
        {mode === 'commands' ? (
          <>
            <Command.Group heading={settingsTexts.title} className={GROUP_CLASS}>
              {SETTINGS_SECTIONS.map((section) => (
                <PaletteItem
                  key={section}
                  value={`${settingsTexts.title} › ${settingsTexts.sections[section]}`}
                  icon={Settings}
                  onSelect={run(() => workbench.openSettings(section))}
                >
                  {settingsTexts.sections[section]}
                </PaletteItem>
              ))}
            </Command.Group>
            <TextItems search={search} run={run} />
          </>
        ) : null}
        {mode === 'files' ? null : (
          <ModelItems
            search={search}
            current={currentModel}
            areGrouped={mode === 'models'}
            groupClass={GROUP_CLASS}
            itemClass={ITEM_CLASS}
            onChoose={(id) => run(() => void chooseModel(studio, id).then(onChosen))()}
          />
        )}
        {mode === 'models' && policy?.isAllowed !== false ? (
          <Command.Group className={GROUP_CLASS}>
            <PaletteItem value={t.empty.connect} icon={Plus} onSelect={run(workbench.connectModel)}>
              {t.empty.connect}
            </PaletteItem>
          </Command.Group>
        ) : null}
      </Command.List>
    </Command>
  );
}

/** Rates how well an item fits the search, by its keywords or, without any, its value, which may be an id nobody sees. */
const matchOf = (value: string, search: string, keywords?: readonly string[]): number =>
  scoreOf(keywords === undefined || keywords.length === 0 ? value : keywords.join(' '), search);

/** The item that Enter chooses; undefined if there is none. */
const bestItemIn = (list: HTMLElement | null) => list?.querySelector<HTMLElement>('[cmdk-item][data-selected="true"]');

/** Maximum number of files listed. */
const MAX_FILES = 50;
