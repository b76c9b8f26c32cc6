'use client';

import { useModels, useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { LANGUAGES } from '#components/i18n/languages.ts';
import { ModelsSection } from '#components/models/models-section.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Row, Section } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import type { Settings } from '#studio/settings.ts';
import { DataSection } from './data-section.tsx';
import { PermissionSection } from './permission-section.tsx';
import { StorageControls } from './storage-controls.tsx';

/** The user's settings for the whole studio, and access to their data. */
export default function SettingsDialog({ onClose }: { onClose(): void }) {
  const t = useMessages();
  return (
    <Dialog open onOpenChange={onClose} title={t.settings.title} wide>
      <div className="grid gap-6">
        <ModelsSection />
        <AppearanceSection />
        <ChatSection />
        <PermissionSection />
        <DataSection />
        <Section title={t.storage.title}>
          <StorageControls />
        </Section>
      </div>
    </Dialog>
  );
}

function AppearanceSection() {
  const t = useMessages();
  const { settings } = useStudio();
  const theme = useSettings((state) => state.theme);
  const locale = useSettings((state) => state.locale);
  return (
    <Section title={t.settings.appearance}>
      <Row label={t.settings.theme}>
        <Select
          label={t.settings.theme}
          value={theme}
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t.settings.themes[value] }))}
          onValueChange={(value) => void settings.change({ theme: value as Settings['theme'] })}
        />
      </Row>
      <Row label={t.settings.language}>
        <Select
          label={t.settings.language}
          value={locale ?? t.locale}
          options={LANGUAGES.map(({ locale: value, name }) => ({ value, label: name }))}
          onValueChange={(value) => void settings.change({ locale: value as Settings['locale'] })}
        />
      </Row>
    </Section>
  );
}

const SERVER_DEFAULT = 'server-default';
const NO_MODEL = 'no-model';

function ChatSection() {
  const t = useMessages();
  const { settings } = useStudio();
  const list = useModels((state) => state.list);
  const model = useSettings((state) => state.defaultModel);
  const titleModel = useSettings((state) => state.titleModel);
  const systemPrompt = useSettings((state) => state.systemPrompt);
  return (
    <Section title={t.settings.chat}>
      <Row label={t.settings.defaultModel}>
        <Select
          label={t.settings.defaultModel}
          value={model ?? SERVER_DEFAULT}
          options={[
            { value: SERVER_DEFAULT, label: t.settings.serverDefault },
            ...(list?.models ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChange={(value) => void settings.change({ defaultModel: value === SERVER_DEFAULT ? null : value })}
          className="max-w-64"
        />
      </Row>
      <Row label={t.settings.titleModel}>
        <Select
          label={t.settings.titleModel}
          value={titleModel ?? NO_MODEL}
          options={[
            { value: NO_MODEL, label: t.settings.noTitleModel },
            ...(list?.models ?? []).filter(({ demo }) => !demo).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChange={(value) => void settings.change({ titleModel: value === NO_MODEL ? null : value })}
          className="max-w-64"
        />
      </Row>
      <label className="text-sm">
        {t.settings.defaultSystemPrompt}
        <textarea
          defaultValue={systemPrompt}
          rows={4}
          onBlur={(event) => void settings.change({ systemPrompt: event.target.value })}
          className="mt-1 w-full rounded-md border border-line-strong bg-surface p-2 text-sm"
        />
      </label>
    </Section>
  );
}
