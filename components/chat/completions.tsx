'use client';

import { ComposerPrimitive, type Unstable_TriggerItem as Item, useAui, useAuiState } from '@assistant-ui/react';
import { FileText, FolderClosed, MessageSquareText, Plug } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import { COMPOSER_ID } from '#components/hooks/composer-id.ts';
import { useWorkspace, useWorkspaceTree } from '#components/hooks/studio-provider.tsx';
import { useCommandTexts } from '#components/i18n/use-command-texts.ts';
import { DIRECTED_BY, directionOf } from '#components/markdown/direction.ts';
import { bestMatches } from '#components/palette/best-matches.ts';
import { useCommands } from '#components/palette/use-commands.tsx';
import { useProjectState } from '#components/project/use-project.ts';
import type { WantedPrompt } from '#components/project/workspace-prompt.tsx';
import { attachedName } from '#components/sources/servers/attached-files.ts';
import type { ServerWanted } from '#components/sources/servers/server-content.tsx';
import { useSources } from '#components/sources/use-sources.ts';
import { ShortcutKeys } from '#components/ui/keys.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { mentionOf, type WrittenTrigger, writtenCommand, writtenMention } from './mention.ts';
import { MessageEstimate } from './message-estimate.tsx';
import { composerField, typeInComposer } from './type-in-composer.ts';

/** The most completions that are offered at once. Typing finds the others. */
const OFFERED_MAX = 30;

/**
 * Content that the person has chosen for the message and that still has to be fetched or filled in: a resource, a resource
 * template, or a prompt of a tool server, or a prompt in a file of the workspace.
 */
export type WantedContent = ServerWanted | WantedPrompt;

interface CompletionsProps {
  /** Called when the person chooses a resource, template, or prompt of a tool server, or a prompt of the workspace. */
  onWanted(wanted: WantedContent): void;
}

/**
 * Completes a message as it is written: with files, folders, and tool servers' resources and resource templates after `@`;
 * and, after a `/` at the message's beginning, with the studio's commands and with prompts, which are texts to insert, of
 * the workspace and of tool servers. Says how long a long message is, and sets its writing direction.
 */
export default function Completions(props: CompletionsProps) {
  return (
    <>
      <Mentions {...props} />
      <Commands {...props} />
      <MessageEstimate />
      <Direction />
    </>
  );
}

/**
 * Sets the writing direction of the message box by the beginning of its text. Browsers that are left to find it themselves
 * take seconds for a long text.
 */
function Direction() {
  const direction = useAuiState(({ composer }) => directionOf(composer.text.slice(0, DIRECTED_BY)));
  useEffect(() => {
    const box = document.getElementById(COMPOSER_ID);
    box?.setAttribute('dir', direction);
    return () => box?.removeAttribute('dir');
  }, [direction]);
  return null;
}

/** Returns the prompts, templates, or resources that the enabled tool servers offer, by their `idOf`. */
function useServerContent<Type extends ServerWanted['type']>(
  type: Type,
): ReadonlyMap<string, Extract<ServerWanted, { type: Type }>> {
  const { list } = useSources('servers');
  return useMemo(() => {
    const wanted = list.flatMap(({ config, listing }): ServerWanted[] => {
      if (!config.isOn || listing === undefined) return [];
      const { name: server } = config;
      const { completes } = listing;
      if (type === 'prompt') return listing.prompts.map((prompt) => ({ type: 'prompt', server, prompt, completes }));
      if (type === 'template')
        return listing.templates.map((template) => ({ type: 'template', server, template, completes }));
      return listing.resources.map(({ uri, name, title }) => ({
        type: 'resource',
        server,
        uri,
        name: title ?? name,
      }));
    });
    return new Map(wanted.map((one) => [idOf(one), one as Extract<ServerWanted, { type: Type }>]));
  }, [list, type]);
}

/** The id of an offer in the list: the name of a resource or template in messages, or the command of a prompt without `/`. */
function idOf(wanted: ServerWanted): string {
  if (wanted.type === 'prompt') return `${wanted.server}:${wanted.prompt.name}`;
  return attachedName(wanted.server, wanted.type === 'resource' ? wanted.uri : wanted.template.uriTemplate);
}

/**
 * The allowed prompts of the workspace, by their commands without `/`: by `name`, or by `prompt:name` if the studio has a
 * command `name`.
 */
function useWorkspacePrompts(commandNames: ReadonlySet<string>): ReadonlyMap<string, WantedPrompt> {
  const project = useProjectState();
  return new Map(
    project?.files.flatMap(({ name, prompt, hash }): [string, WantedPrompt][] =>
      prompt === undefined || project.answers[hash] !== true
        ? []
        : [[commandNames.has(name) ? `prompt:${name}` : name, { type: 'prompt-file', name, prompt }]],
    ),
  );
}

function Mentions({ onWanted }: CompletionsProps) {
  const texts = useCommandTexts();
  const resources = useServerContent('resource');
  const templates = useServerContent('template');
  const aui = useAui();
  const workspace = useWorkspace();
  const tree = useWorkspaceTree(({ items }) => items);
  const search = useCallback(
    (query: string): Item[] => {
      const files = Array.from(tree?.values() ?? [], ({ path, name, isDirectory }) => ({
        id: path,
        type: isDirectory ? 'folder' : 'file',
        label: name,
      })).filter(({ id }) => id !== '/');
      const others = [
        ...Array.from(resources, ([id, { name }]) => ({ id, type: 'resource', label: name })),
        ...Array.from(templates, ([id, { template }]) => ({
          id,
          type: 'template',
          label: template.title ?? template.name,
        })),
      ];
      return bestMatches([...files, ...others], query, ({ id, label }) => `${label} ${id}`, OFFERED_MAX);
    },
    [tree, resources, templates],
  );
  /**
   * Attaches a document, a picture, or a short text, or passes a resource or template to `onWanted`. Does nothing for a folder. Rejects
   * if a file cannot be attached, for instance because it is too large.
   */
  const attach = async ({ id: path, type }: Item) => {
    const wanted = type === 'resource' ? resources.get(path) : type === 'template' ? templates.get(path) : undefined;
    if (wanted !== undefined) return onWanted(wanted);
    if (type === 'folder' || workspace === undefined) return;
    const { workspaceFile } = await import('./workspace-file.ts');
    await aui.composer.addAttachment(await workspaceFile(workspace.fileSystem, path));
  };
  return (
    <Completion
      char="@"
      label={texts.mentions}
      search={search}
      written={writtenMention}
      behavior={
        <ComposerPrimitive.Unstable_TriggerPopover.Directive
          formatter={{
            serialize: referenceTo,
            parse: (text) => [{ kind: 'text', text }],
          }}
          onInserted={(item) => {
            typeReference(referenceTo(item));
            // A file that cannot be attached is only referred to.
            void attach(item).catch(() => undefined);
          }}
        />
      }
    >
      {({ id, type, label }) => (
        <>
          {type === 'resource' || type === 'template' ? (
            <Plug aria-hidden size={14} className="shrink-0 text-muted" />
          ) : type === 'folder' ? (
            <FolderClosed aria-hidden size={14} className="shrink-0 text-muted" />
          ) : (
            <FileText aria-hidden size={14} className="shrink-0 text-muted" />
          )}
          <span className="max-w-[60%] shrink-0 truncate">{visibleText(label)}</span>
          <span className="min-w-0 flex-1 truncate text-muted text-xs">{visibleText(id)}</span>
        </>
      )}
    </Completion>
  );
}

/** The reference to an item in the message; empty for a template, whose resource depends on arguments still to be asked for. */
const referenceTo = ({ id, type }: Pick<Item, 'id' | 'type'>): string =>
  type === 'template' ? '' : mentionOf(id, type === 'folder');

/** Replaces the unfinished reference at the cursor with `reference`, as if it was typed, so that it can be undone. */
function typeReference(reference: string): void {
  const field = composerField();
  const written = field && writtenMention(field.value, field.selectionStart);
  if (field === undefined || !written) return;
  const rest = field.value.slice(written.endOffset);
  typeInComposer(`${field.value.slice(0, written.offset)}${reference}${rest.startsWith(' ') ? rest : ` ${rest}`}`);
  const next = written.offset + reference.length + 1;
  if (reference !== '') field.setSelectionRange(next, next);
}

function Commands({ onWanted }: CompletionsProps) {
  const texts = useCommandTexts();
  const commands = useCommands();
  const serverPrompts = useServerContent('prompt');
  const workspacePrompts = useWorkspacePrompts(new Set(commands.flatMap(({ name }) => name ?? [])));
  const search = (query: string): Item[] =>
    bestMatches(
      [
        ...commands.flatMap(({ name, label }) => (name === undefined ? [] : [{ id: name, type: 'command', label }])),
        ...[...workspacePrompts].map(([id, { name, prompt }]) => ({
          id,
          type: 'prompt',
          label: name,
          description: prompt.description,
        })),
        ...[...serverPrompts].map(([id, { prompt }]) => ({
          id,
          type: 'prompt',
          label: prompt.title ?? prompt.name,
          description: prompt.description,
        })),
      ],
      query,
      ({ id, label }) => `${id} ${label}`,
      OFFERED_MAX,
    );
  const run = ({ id, type }: Item) => {
    const prompt = type === 'prompt' ? (workspacePrompts.get(id) ?? serverPrompts.get(id)) : undefined;
    if (prompt !== undefined) onWanted(prompt);
    else commands.find(({ name }) => name === id)?.run();
  };
  return (
    <Completion
      char="/"
      label={texts.commands}
      search={search}
      written={writtenCommand}
      behavior={<ComposerPrimitive.Unstable_TriggerPopover.Action removeOnExecute onExecute={run} />}
    >
      {({ id, type, label, description }) => {
        const command = type === 'command' ? commands.find(({ name }) => name === id) : undefined;
        const Icon = type === 'prompt' ? MessageSquareText : command?.icon;
        return (
          <>
            {Icon === undefined ? null : <Icon aria-hidden size={14} className="shrink-0 text-muted" />}
            <span className="min-w-0 flex-1 truncate">
              {visibleText(label)}
              {description === undefined ? null : (
                <span className="ml-2 text-muted text-xs">{visibleText(description)}</span>
              )}
            </span>
            <span className="max-w-[50%] truncate font-mono text-muted text-xs">/{visibleText(id)}</span>
            {command?.shortcut === undefined ? null : <ShortcutKeys id={command.shortcut} />}
          </>
        );
      }}
    </Completion>
  );
}

interface CompletionProps {
  char: string;
  /** The accessible name of the list. */
  label: string;
  search(query: string): Item[];
  /** Finds the trigger and its query at the cursor; null if nothing can be completed there. */
  written(text: string, cursor: number): WrittenTrigger | null;
  /** The element that handles the chosen item. */
  behavior: ReactNode;
  children(item: Item): ReactNode;
}

/** The list of completions above the message box, shown while any item matches the query at the cursor. */
function Completion({ char, label, search, written, behavior, children }: CompletionProps) {
  const cached = useMemo(() => rememberLast(search), [search]);
  const adapter = useMemo(() => ({ categories: () => [], categoryItems: () => [], search: cached }), [cached]);
  return (
    <ComposerPrimitive.Unstable_TriggerPopover
      char={char}
      adapter={adapter}
      matcher={(text, _char, cursor) => {
        // During a composition, which on a phone is every word, the given cursor is outdated.
        const field = composerField();
        const found = written(text, field?.value === text ? field.selectionStart : cursor);
        // Without anything to offer, the keys stay those of the message box.
        return found === null || cached(found.query).length === 0 ? null : found;
      }}
      aria-label={label}
      className="absolute inset-x-4 bottom-full z-30 mb-1 max-h-72 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
    >
      {behavior}
      <ComposerPrimitive.Unstable_TriggerPopoverItems>
        {(items) =>
          items.map((item, index) => (
            <ComposerPrimitive.Unstable_TriggerPopoverItem
              key={item.id}
              item={item}
              index={index}
              // The message box keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              ref={(element) => {
                if (element?.getAttribute('aria-selected') === 'true') element.scrollIntoView({ block: 'nearest' });
              }}
              className="flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-left text-sm data-highlighted:bg-hover"
            >
              {children(item)}
            </ComposerPrimitive.Unstable_TriggerPopoverItem>
          ))
        }
      </ComposerPrimitive.Unstable_TriggerPopoverItems>
    </ComposerPrimitive.Unstable_TriggerPopover>
  );
}

/** Wraps `search` so that the same query again returns the last result instead of searching again. */
function rememberLast(search: (query: string) => Item[]): (query: string) => Item[] {
  let last: { query: string; items: Item[] } | undefined;
  return (query) => {
    if (last?.query !== query) last = { query, items: search(query) };
    return last.items;
  };
}
