'use client';

import * as Tabs from '@radix-ui/react-tabs';
import {
  Database,
  Info,
  Keyboard,
  type LucideIcon,
  MessageSquareText,
  PenLine,
  Settings2,
  ShieldCheck,
  Wrench,
} from 'lucide-react';
import { type ComponentType, Suspense } from 'react';
import { SETTINGS_SECTIONS, type SettingsSection } from '#components/hooks/workbench.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { ModelsSection } from '#components/models/models-section.tsx';
import { ProjectSection } from '#components/project/project-section.tsx';
import { ApisSection } from '#components/sources/apis/apis-section.tsx';
import { ServersSection } from '#components/sources/servers/servers-section.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { AboutSection } from './about-section.tsx';
import { DataSection } from './data-section.tsx';
import { DefaultModels } from './default-models.tsx';
import { EditorSection } from './editor-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { PermissionSection } from './permission-section.tsx';
import { PersonaSection } from './persona-section.tsx';
import { ShortcutSection } from './shortcut-section.tsx';
import { StorageSection } from './storage-section.tsx';
import { ToolSection } from './tool-section.tsx';

const SECTIONS: Readonly<Record<SettingsSection, { icon: LucideIcon; parts: readonly ComponentType[] }>> = {
  general: { icon: Settings2, parts: [GeneralSection, PersonaSection] },
  models: { icon: MessageSquareText, parts: [ModelsSection, DefaultModels] },
  permissions: { icon: ShieldCheck, parts: [PermissionSection] },
  tools: { icon: Wrench, parts: [ToolSection, ServersSection, ApisSection, ProjectSection] },
  editor: { icon: PenLine, parts: [EditorSection] },
  shortcuts: { icon: Keyboard, parts: [ShortcutSection] },
  data: { icon: Database, parts: [DataSection, StorageSection] },
  about: { icon: Info, parts: [AboutSection] },
};

interface SettingsDialogProps {
  /** The section that is shown first. */
  section?: SettingsSection;
  onClose(): void;
}

/** The user's settings for the whole studio, and access to their data: sections, with a list of them at the side. */
export default function SettingsDialog({ section = 'general', onClose }: SettingsDialogProps) {
  const texts = useSettingsTexts();
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} large>
      <Tabs.Root
        key={section}
        defaultValue={section}
        orientation="vertical"
        className="flex h-full flex-col sm:flex-row"
      >
        <Tabs.List
          aria-label={texts.title}
          className="flex shrink-0 gap-0.5 overflow-x-auto border-line border-b p-2 sm:w-48 sm:flex-col sm:overflow-y-auto sm:border-r sm:border-b-0"
        >
          {SETTINGS_SECTIONS.map((id) => {
            const { icon: Icon } = SECTIONS[id];
            return (
              <Tabs.Trigger
                key={id}
                value={id}
                // Where there is no room for all of them, the chosen one is not cut off.
                onClick={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'nearest', inline: 'center' })}
                {...(id === section && { 'data-initial-focus': '' })}
                className="flex h-8 shrink-0 items-center gap-2 rounded-md px-2 text-left text-muted text-sm hover:bg-hover data-[state=active]:bg-active data-[state=active]:font-medium data-[state=active]:text-text"
              >
                <Icon aria-hidden size={15} className="shrink-0" />
                {texts.sections[id]}
              </Tabs.Trigger>
            );
          })}
        </Tabs.List>
        {SETTINGS_SECTIONS.map((id) => (
          <Tabs.Content key={id} value={id} className="min-h-0 min-w-0 flex-1 overflow-y-auto p-4 sm:px-6">
            <div className="grid gap-7">
              {/* A section that waits for code must not hide the others, and with them the focus. */}
              <Suspense>
                {SECTIONS[id].parts.map((Part, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a section never change
                  <Part key={index} />
                ))}
              </Suspense>
            </div>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Dialog>
  );
}
