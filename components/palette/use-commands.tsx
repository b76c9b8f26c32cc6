'use client';

import {
  AppWindow,
  Archive,
  FolderTree,
  FoldVertical,
  History,
  Keyboard,
  ListChecks,
  type LucideIcon,
  MessageCircleDashed,
  MessageSquarePlus,
  MessageSquareText,
  MoonStar,
  PanelLeft,
  PanelRight,
  PenLine,
  Plug,
  Plus,
  Printer,
  ScanSearch,
  Search,
  Settings,
  Settings2,
  SlidersHorizontal,
  SquareTerminal,
  UserRound,
  Wrench,
} from 'lucide-react';
import type { ShortcutId } from '#components/hooks/shortcuts.ts';
import {
  useCurrentModelId,
  useCurrentSettings,
  useModels,
  useSettings,
  useStudio,
  useThreads,
  useWorkspace,
} from '#components/hooks/studio-provider.tsx';
import { useIsDark } from '#components/hooks/theme.ts';
import { useSaveBackup } from '#components/hooks/use-save-backup.ts';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useCommandTexts } from '#components/i18n/use-command-texts.ts';
import { useThreadTexts } from '#components/i18n/use-thread-texts.ts';
import { printPage } from '#components/ui/print-page.ts';
import { temporaryId } from '#lib/threads/temporary.ts';
import { applyPersona } from '#studio/apply-persona.ts';
import { findModel } from '#studio/models.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { newProjectFile } from '#studio/project/new-project-file.ts';

/** A command of the palette. If it has a `name`, it can also be run by typing `/name` in the message box. */
export interface Command {
  label: string;
  icon: LucideIcon;
  name?: string;
  shortcut?: ShortcutId;
  run(): void;
}

/** Returns the commands that are available now. */
export function useCommands(): Command[] {
  const t = useAllMessages();
  const texts = useCommandTexts();
  const threadTexts = useThreadTexts();
  const studio = useStudio();
  const save = useSaveBackup();
  const workbench = useWorkbench();
  const { reviews = false } = useCurrentSettings();
  const session = useThreads((state) => state.session);
  const currentModel = useCurrentModelId();
  const isOffered = useModels((state) => findModel(state, currentModel) !== undefined);
  const isDark = useIsDark(useSettings(({ theme }) => theme));
  const { threads, settings } = studio;
  const personas = useSettings((state) => state.personas);
  const workspace = useWorkspace();
  const newFile = async (shown: OpenedWorkspace, kind: 'tool' | 'prompt') =>
    workbench.openFile(await newProjectFile(shown, kind), 'here');
  return [
    { label: t.threads.newThread, icon: Plus, name: 'new', run: () => workbench.newThread() },
    {
      label: threadTexts.newTemporary,
      icon: MessageCircleDashed,
      name: 'temporary',
      run: () => workbench.newThread(temporaryId()),
    },
    {
      label: t.palette.chooseModel,
      icon: MessageSquareText,
      name: 'model',
      run: () => workbench.openPalette('models'),
    },
    { label: t.empty.connect, icon: Plug, name: 'connect', run: workbench.connectModel },
    ...(currentModel === null || !isOffered
      ? []
      : [
          {
            label: t.controls.modelSettings,
            icon: SlidersHorizontal,
            name: 'model-settings',
            run: () => workbench.openModelSettings(currentModel),
          },
        ]),
    { label: texts.systemPrompt, icon: Settings2, name: 'system-prompt', run: workbench.editSystemPrompt },
    ...personas.map((persona) => ({
      label: texts.applyPersona(persona.name),
      icon: UserRound,
      run: () => void applyPersona(threads, persona),
    })),
    {
      label: reviews ? texts.reviewOff : texts.reviewOn,
      icon: ListChecks,
      name: 'review',
      run: () => void threads.changeSettings({ reviews: !reviews }),
    },
    ...(session === undefined
      ? []
      : [
          {
            label: t.controls.compactNow,
            icon: FoldVertical,
            name: 'compact',
            run: () => void session.compactNext(true),
          },
          {
            label: t.shortcuts.findInThread,
            icon: ScanSearch,
            name: 'find',
            shortcut: 'findInThread' as const,
            run: workbench.findInThread,
          },
          { label: texts.print, icon: Printer, name: 'print', run: () => void printPage() },
        ]),
    {
      label: t.shortcuts.searchFiles,
      icon: Search,
      name: 'search',
      shortcut: 'searchFiles',
      run: workbench.searchFiles,
    },
    { label: t.files.views.timeline, icon: History, name: 'history', run: workbench.showTimeline },
    { label: t.panes.editor, icon: PenLine, name: 'editor', run: workbench.showEditor },
    { label: t.panes.preview, icon: AppWindow, name: 'preview', run: workbench.showPreview },
    { label: t.panes.console, icon: SquareTerminal, name: 'console', run: workbench.showConsole },
    ...(workspace === undefined
      ? []
      : [
          { label: texts.newTool, icon: Wrench, name: 'new-tool', run: () => void newFile(workspace, 'tool') },
          {
            label: texts.newPrompt,
            icon: MessageSquarePlus,
            name: 'new-prompt',
            run: () => void newFile(workspace, 'prompt'),
          },
        ]),
    {
      label: t.shortcuts.toggleThreads,
      icon: PanelLeft,
      shortcut: 'toggleThreads',
      run: workbench.toggleThreads,
    },
    {
      label: t.shortcuts.toggleWorkspace,
      icon: PanelRight,
      shortcut: 'toggleWorkspace',
      run: workbench.toggleWorkspace,
    },
    { label: texts.toggleTree, icon: FolderTree, run: workbench.toggleTree },
    {
      label: texts.toggleTheme,
      icon: MoonStar,
      name: 'theme',
      run: () => void settings.change({ theme: isDark ? 'light' : 'dark' }),
    },
    { label: t.settings.open, icon: Settings, name: 'settings', run: workbench.openSettings },
    { label: t.settings.saveBackup, icon: Archive, name: 'backup', run: save },
    {
      label: t.shortcuts.title,
      icon: Keyboard,
      name: 'shortcuts',
      shortcut: 'help',
      run: workbench.openShortcuts,
    },
  ];
}
