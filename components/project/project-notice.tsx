'use client';

import { useState } from 'react';
import { useProjectTexts } from '#components/i18n/use-project-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import { ProjectDialog } from './project-dialog.tsx';
import { useProject } from './use-project.ts';

/** How many files the notice names. */
const NAMED_FILES = 2;

/** Asks about what the workspace would tell the model, as long as the person has not said. */
export function ProjectNotice() {
  const texts = useProjectTexts();
  const { projects, state } = useProject();
  const [isOpen, setOpen] = useState(false);
  const asked = state?.files.filter(({ hash }) => state.answers[hash] === undefined) ?? [];
  if (projects === undefined || state === undefined) return null;
  const named = asked.slice(0, NAMED_FILES).map(({ path }) => visibleText(path));
  const paths = [...named, ...(asked.length > NAMED_FILES ? [texts.others(asked.length - NAMED_FILES)] : [])].join(
    ', ',
  );
  return (
    <>
      {asked.length === 0 ? null : (
        <div
          role="status"
          className="mb-2 flex flex-wrap items-center gap-2 rounded-md bg-waiting-soft px-3 py-2 text-sm"
        >
          <span className="min-w-48 flex-1 break-words">{texts.notice(paths)}</span>
          <Button onClick={() => setOpen(true)}>{texts.look}</Button>
          <Button variant="ghost" onClick={() => void projects.answer(asked, false)}>
            {texts.ignore}
          </Button>
        </div>
      )}
      {isOpen ? <ProjectDialog projects={projects} state={state} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
