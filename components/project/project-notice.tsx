'use client';

import { Suspense, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useProjectTexts } from '#components/i18n/use-project-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { lazyView } from '#components/ui/lazy-view.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { ProjectProblem } from '#studio/project/project-files.ts';
import { useProject } from './use-project.ts';

const ProjectDialog = lazyView(() => import('./project-dialog.tsx'));

/** The number of files that the notice names. */
const NAMED_FILES = 2;

/**
 * Asks about files of the workspace with instructions, skills, tools, or prompts that the person has neither allowed nor
 * ignored. Names such files that cannot be used, until the person has seen that.
 */
export function ProjectNotice() {
  const texts = useProjectTexts();
  const { controls } = useMessages();
  const { projects, state } = useProject();
  const [isOpen, setOpen] = useState(false);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  if (projects === undefined || state === undefined) return null;
  const { workspaceId, files, answers } = state;
  const asked = files.filter(({ hash }) => answers[hash] === undefined);
  const keyOf = ({ path, code, reason }: ProjectProblem) => `${workspaceId} ${path} ${code} ${reason}`;
  const problems = state.problems.filter((problem) => !seen.has(keyOf(problem)));
  const markSeen = () => setSeen(new Set([...seen, ...problems.map(keyOf)]));
  const paths = controls.listed([
    ...asked.slice(0, NAMED_FILES).map(({ path }) => visibleText(path)),
    ...(asked.length > NAMED_FILES ? [texts.others(asked.length - NAMED_FILES)] : []),
  ]);
  const [problem] = problems;
  const ignore = () => {
    markSeen();
    if (asked.length > 0) void projects.answer(asked, false);
  };
  return (
    <>
      {asked.length + problems.length === 0 ? null : (
        <div
          role="status"
          className="mb-2 flex flex-wrap items-center gap-2 rounded-md bg-waiting-soft px-3 py-2 text-sm"
        >
          <span className="min-w-48 flex-1 break-words">
            {asked.length > 0 ? <span className="block">{texts.notice(paths)}</span> : null}
            {problem === undefined ? null : (
              <span className="block">
                {visibleText(problem.path)} {texts.problems[problem.code]} {visibleText(problem.reason ?? '')}{' '}
                {problems.length > 1 ? texts.alsoUnusable(problems.length - 1) : null}
              </span>
            )}
          </span>
          <Button
            onClick={() => {
              markSeen();
              setOpen(true);
            }}
          >
            {texts.look}
          </Button>
          <Button variant="ghost" onClick={ignore}>
            {texts.ignore}
          </Button>
        </div>
      )}
      <Suspense>
        {isOpen ? <ProjectDialog projects={projects} state={state} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}
