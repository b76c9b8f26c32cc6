'use client';

import { useRef, useState } from 'react';
import {
  useCurrentSettings,
  useModels,
  useSession,
  useSettings,
  useStudio,
  useThreads,
} from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { toolsetName } from '#components/i18n/toolset-name.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { NameDialog } from '#components/ui/name-dialog.tsx';
import { Section } from '#components/ui/section.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { applyPersona } from '#studio/apply-persona.ts';
import { findModel, modelName, nameOfGone } from '#studio/models.ts';
import { download } from '#studio/page/download.ts';
import { PERSONA_LIMITS, type Persona, personaFile, personaOf, readPersona, withPersona } from '#studio/personas.ts';
import { grantedToolName } from './granted-tool-name.ts';

/** Personas, which are saved setups of threads: made from the open thread, applied, exported, imported, and deleted. */
export function PersonaSection() {
  const texts = useSettingsTexts();
  const { settings, threads } = useStudio();
  const personas = useSettings((state) => state.personas);
  const current = useCurrentSettings();
  const session = useThreads((state) => state.session);
  const grants = useSession(session, ({ thread }) => thread.grants) ?? [];
  const input = useRef<HTMLInputElement>(null);
  const [isNaming, setNaming] = useState(false);
  const [deleting, setDeleting] = useState<string>();
  const [imported, setImported] = useState<Persona>();
  const [said, setSaid] = useState<{ text: string; isFault: boolean }>();
  const tell = (text: string) => setSaid({ text, isFault: false });
  const add = (persona: Persona) => {
    const all = withPersona(settings.getState().personas, persona);
    if (all === undefined) setSaid({ text: texts.personas.full(PERSONA_LIMITS.personas), isFault: true });
    else void settings.change({ personas: all });
  };
  const open = async (file: File) => {
    const read = file.size > PERSONA_LIMITS.file ? { fault: 'too-large' as const } : readPersona(await file.text());
    if ('fault' in read) setSaid({ text: texts.personas.faults[read.fault], isFault: true });
    else setImported(read.persona);
  };
  return (
    <Section title={texts.personas.title} help={texts.personas.help}>
      {personas.length === 0 ? <p className="text-muted text-sm">{texts.personas.none}</p> : null}
      <ul aria-label={texts.personas.title} className="grid gap-2">
        {personas.map((persona) => (
          <li
            key={persona.name}
            className="flex flex-wrap items-center gap-2 rounded-md border border-line p-2 text-sm"
          >
            <span className="min-w-40 flex-1 break-words">
              <span className="font-medium">{visibleText(persona.name)}</span>
              <PersonaDetails persona={persona} />
            </span>
            <Button
              aria-label={texts.personas.applyLabel(persona.name)}
              onClick={() => void applyPersona(threads, persona).then(() => tell(texts.personas.used(persona.name)))}
            >
              {texts.personas.apply}
            </Button>
            <Button
              variant="ghost"
              aria-label={texts.personas.exportLabel(persona.name)}
              onClick={() =>
                download(new Blob([personaFile(persona)], { type: 'application/json' }), `${persona.name}.persona.json`)
              }
            >
              {texts.personas.export}
            </Button>
            <Button
              variant="ghost"
              aria-label={texts.personas.deleteLabel(persona.name)}
              onClick={() => setDeleting(persona.name)}
            >
              {texts.personas.delete}
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setNaming(true)}>{texts.personas.save}</Button>
        <Button onClick={() => input.current?.click()}>{texts.personas.import}</Button>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          aria-label={texts.personas.import}
          className="hidden"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            target.value = '';
            setSaid(undefined);
            if (file !== undefined) void open(file);
          }}
        />
      </div>
      {said === undefined ? null : (
        <p
          role={said.isFault ? 'alert' : 'status'}
          className={`text-sm ${said.isFault ? 'text-failed' : 'text-muted'}`}
        >
          {said.text}
        </p>
      )}
      {isNaming ? (
        <NameDialog
          title={texts.personas.saveTitle}
          label={texts.personas.name}
          name=""
          submit={texts.personas.saveSubmit}
          maxLength={PERSONA_LIMITS.name}
          isRequired
          onRename={(name) => add(personaOf(name, { settings: current, grants }))}
          onClose={() => setNaming(false)}
        />
      ) : null}
      {imported === undefined ? null : (
        <ConfirmDialog
          title={texts.personas.importTitle(visibleText(imported.name))}
          description={texts.personas.importDetail}
          action={texts.personas.importSubmit}
          onConfirm={() => {
            add(imported);
            setImported(undefined);
          }}
          onClose={() => setImported(undefined)}
        >
          <PersonaDetails persona={imported} />
          <pre className="mt-2 max-h-60 overflow-y-auto whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3 text-[13px] text-muted">
            {visibleText(imported.systemPrompt ?? texts.personas.defaultPrompt)}
          </pre>
        </ConfirmDialog>
      )}
      {deleting === undefined ? null : (
        <ConfirmDialog
          title={texts.personas.deleteTitle(visibleText(deleting))}
          description={texts.personas.deleteDetail}
          action={texts.personas.delete}
          isDangerous
          onConfirm={() => {
            void settings.change({ personas: settings.getState().personas.filter(({ name }) => name !== deleting) });
            setDeleting(undefined);
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Section>
  );
}

/** Describes a persona: its model, its toolsets, and what it allows without asking. */
function PersonaDetails({ persona: { model, toolsets, grants } }: { persona: Persona }) {
  const t = useMessages();
  const texts = useSettingsTexts();
  const isListed = useModels(({ list }) => list !== undefined);
  const known = useModels((state) => findModel(state, model));
  const shownModel = known === undefined ? model && nameOfGone(model) : modelName(known, t.controls.demoModel);
  const names = t.controls.listed(toolsets.map((toolset) => visibleText(toolsetName(toolset, t))));
  return (
    <span className="block text-muted text-xs">
      {texts.personas.details(
        visibleText(shownModel ?? texts.personas.defaultModel),
        names === '' ? texts.personas.noTools : names,
      )}
      {model !== null && isListed && known === undefined ? (
        <span className="block text-waiting">{texts.personas.modelMissing}</span>
      ) : null}
      {grants.length === 0 ? null : (
        <span className="block text-waiting">
          {texts.personas.grants(t.controls.listed(grants.map((grant) => visibleText(grantedToolName(grant, t)))))}
        </span>
      )}
    </span>
  );
}
