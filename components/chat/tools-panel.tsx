'use client';

import * as Popover from '@radix-ui/react-popover';
import { FolderClosed, Globe, ListChecks, Plug } from 'lucide-react';
import { type ReactElement, type ReactNode, useId } from 'react';
import { useCurrentSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { toolsetName } from '#components/i18n/toolset-name.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { useToolTexts } from '#components/i18n/use-tool-texts.ts';
import { useSourceToolsets } from '#components/sources/use-sources.ts';
import { Switch } from '#components/ui/switch.tsx';
import { HTTP_API, sourceOf, TOOLSETS } from '#lib/tools/toolset-names.ts';
import { ToolCallingPicker } from './tool-calling-picker.tsx';

const ICONS: Readonly<Record<string, ReactNode>> = {
  browser: <Globe aria-hidden size={16} />,
  files: <FolderClosed aria-hidden size={16} />,
};

interface ToolsPanelProps {
  trigger: ReactElement;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

/**
 * The panel to choose the open thread's toolsets (groups of tools), whether changes to files are reviewed before they are
 * written, and how the model gets its tools.
 */
export default function ToolsPanel({ trigger, isOpen, onOpenChange }: ToolsPanelProps) {
  const t = useAllMessages();
  const texts = useToolTexts();
  const { threads } = useStudio();
  const { toolsets, reviews = false } = useCurrentSettings();
  const external = useSourceToolsets();
  const titleId = useId();
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-labelledby={titleId}
          className="z-40 grid max-h-(--radix-popover-content-available-height) w-88 max-w-[calc(100vw-1rem)] gap-1 overflow-y-auto rounded-lg border border-line bg-raised p-2 shadow-float"
        >
          <h2 id={titleId} className="px-2 pt-1 pb-1 font-semibold text-sm">
            {t.controls.toolsets}
          </h2>
          {[...TOOLSETS, ...external].map((toolset) => {
            const isOn = toolsets.includes(toolset);
            return (
              <Switch
                key={toolset}
                icon={ICONS[toolset] ?? <Plug aria-hidden size={16} />}
                label={toolsetName(toolset, t)}
                help={texts.toolsets[toolset] ?? (sourceOf(toolset)?.kind !== HTTP_API ? texts.ofServer : texts.ofApi)}
                isOn={isOn}
                onChange={() =>
                  void threads.changeSettings({
                    toolsets: isOn ? toolsets.filter((name) => name !== toolset) : [...toolsets, toolset],
                  })
                }
              />
            );
          })}
          <Switch
            icon={<ListChecks aria-hidden size={16} />}
            label={texts.reviews}
            help={texts.reviewsHelp}
            isOn={reviews}
            onChange={() => void threads.changeSettings({ reviews: !reviews })}
          />
          <div className="mt-1 flex items-center justify-between gap-3 border-line border-t px-2 pt-3 pb-1 text-sm">
            <span>{t.toolCalling.label}</span>
            <ToolCallingPicker onLeave={() => onOpenChange(false)} />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
