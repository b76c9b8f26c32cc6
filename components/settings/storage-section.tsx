'use client';

import { useMessages } from '#components/i18n/i18n.tsx';
import { Section } from '#components/ui/section.tsx';
import { StorageControls } from './storage-controls.tsx';

/** How full this browser's storage is, and ways to free some of it. */
export function StorageSection() {
  const t = useMessages();
  return (
    <Section title={t.storage.title}>
      <StorageControls />
    </Section>
  );
}
