'use client';

import { useCurrentSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { toolsetName } from '#components/i18n/toolset-name.ts';
import { useCompactionTexts } from '#components/i18n/use-compaction-texts.ts';
import { Button } from '#components/ui/button.tsx';
import type { Problem } from '#lib/messages/message.ts';

/**
 * Lists the toolsets (groups of tools) whose tools take too much of the model's context, each with a button that turns the
 * toolset off in the open thread.
 */
export default function LargeToolsets({ toolsets }: { toolsets: NonNullable<Problem['toolsets']> }) {
  const t = useMessages();
  const texts = useCompactionTexts();
  const { threads } = useStudio();
  const { toolsets: on } = useCurrentSettings();
  return (
    <ul className="mt-2 flex flex-wrap gap-2">
      {toolsets.map(({ name, tokens }) => {
        const label = toolsetName(name, t);
        const isOn = on.includes(name);
        return (
          <li key={name}>
            <Button
              disabled={!isOn}
              onClick={() => void threads.changeSettings({ toolsets: on.filter((one) => one !== name) })}
            >
              {isOn ? texts.turnOff(label, tokens.toLocaleString(t.locale)) : texts.turnedOff(label)}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
