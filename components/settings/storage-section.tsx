'use client';

import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Section } from '#components/ui/section.tsx';
import { StorageControls } from './storage-controls.tsx';

/** The section of the settings that shows how full this browser's storage is, and ways to free some of it. */
export function StorageSection() {
  const t = useAllMessages();
  return (
    <Section title={t.storage.title}>
      <StorageControls />
    </Section>
  );
}
