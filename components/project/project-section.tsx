'use client';

import { Suspense, useState } from 'react';
import { useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useProjectTexts } from '#components/i18n/use-project-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { Section } from '#components/ui/section.tsx';
import { useProject } from './use-project.ts';

const ProjectDialog = lazyView(() => import('./project-dialog.tsx'));

/**
 * The settings for files that instruct the model: the paths of additional instructions, and a button that shows the files of
 * the shown workspace, to allow them or not.
 */
export function ProjectSection() {
  const texts = useProjectTexts();
  const { settings } = useStudio();
  const stored = useSettings((state) => state.instructionFiles);
  const { projects, state } = useProject();
  const [typed, setTyped] = useState(stored.join(', '));
  const [isOpen, setOpen] = useState(false);
  const paths = typed
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  const wrong = paths.find((path) => !path.startsWith('/'));
  const save = () => {
    if (wrong === undefined && paths.join() !== stored.join()) void settings.change({ instructionFiles: paths });
  };
  return (
    <Section title={texts.section} help={texts.sectionHelp}>
      <div>
        <Field label={texts.further} value={typed} onChange={(event) => setTyped(event.target.value)} onBlur={save} />
        {wrong === undefined ? (
          <p className="mt-1 text-muted text-xs">{texts.furtherHelp}</p>
        ) : (
          <p role="alert" className="mt-1 text-failed text-xs">
            {texts.furtherFault(wrong)}
          </p>
        )}
      </div>
      <Button className="justify-self-start" disabled={state === undefined} onClick={() => setOpen(true)}>
        {texts.show}
      </Button>
      <Suspense>
        {isOpen && projects !== undefined && state !== undefined ? (
          <ProjectDialog projects={projects} state={state} onClose={() => setOpen(false)} />
        ) : null}
      </Suspense>
    </Section>
  );
}
