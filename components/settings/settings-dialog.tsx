'use client';

import { useModels, useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { LANGUAGES } from '#components/i18n/languages.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { ModelsSection } from '#components/models/models-section.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Row, Section } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import { nameOfGone } from '#studio/models.ts';
import type { Settings } from '#studio/settings.ts';
import { DataSection } from './data-section.tsx';
import { PermissionSection } from './permission-section.tsx';
import { StorageControls } from './storage-controls.tsx';

/** The user's settings for the whole studio, and access to their data. */
export default function SettingsDialog({ onClose }: { onClose(): void }) {
  const t = useMessages();
  const texts = useSettingsTexts();
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} wide>
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
  const texts = useSettingsTexts();
  const { settings } = useStudio();
  const theme = useSettings((state) => state.theme);
  const locale = useSettings((state) => state.locale);
  return (
    <Section title={texts.appearance}>
      <Row label={texts.theme}>
        <Select
          label={texts.theme}
          value={theme}
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: texts.themes[value] }))}
          onValueChange={(value) => void settings.change({ theme: value as Settings['theme'] })}
        />
      </Row>
      <Row label={texts.language}>
        <Select
          label={texts.language}
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
  const texts = useSettingsTexts();
  const { settings } = useStudio();
  const list = useModels((state) => state.list);
  const model = useSettings((state) => state.defaultModel);
  const titleModel = useSettings((state) => state.titleModel);
  const summaryModel = useSettings((state) => state.summaryModel);
  const systemPrompt = useSettings((state) => state.systemPrompt);
  const isGone = (id: string | null): id is string =>
    id !== null && list?.models.every((one) => one.id !== id) === true;
  return (
    <Section title={texts.chat}>
      <Row label={texts.defaultModel}>
        <Select
          label={texts.defaultModel}
          value={model ?? SERVER_DEFAULT}
          options={[
            { value: SERVER_DEFAULT, label: texts.serverDefault },
            ...(list?.models ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ...(isGone(model) ? [{ value: model, label: t.controls.modelGone(nameOfGone(model)) }] : []),
          ]}
          onValueChange={(value) => void settings.change({ defaultModel: value === SERVER_DEFAULT ? null : value })}
          className="max-w-64"
        />
      </Row>
      <Row label={texts.titleModel}>
        <Select
          label={texts.titleModel}
          value={titleModel ?? NO_MODEL}
          options={[
            { value: NO_MODEL, label: texts.noTitleModel },
            ...(list?.models ?? []).filter(({ demo }) => !demo).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChange={(value) => void settings.change({ titleModel: value === NO_MODEL ? null : value })}
          className="max-w-64"
        />
      </Row>
      <Row label={texts.summaryModel}>
        <Select
          label={texts.summaryModel}
          value={summaryModel ?? NO_MODEL}
          options={[
            { value: NO_MODEL, label: texts.noSummaryModel },
            ...(list?.models ?? []).filter(({ demo }) => !demo).map(({ id, name }) => ({ value: id, label: name })),
            ...(isGone(summaryModel)
              ? [{ value: summaryModel, label: t.controls.modelGone(nameOfGone(summaryModel)) }]
              : []),
          ]}
          onValueChange={(value) => void settings.change({ summaryModel: value === NO_MODEL ? null : value })}
          className="max-w-64"
        />
      </Row>
      <label className="text-sm">
        {texts.defaultSystemPrompt}
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
