'use client';

import { useEffect, useState } from 'react';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useProjectTexts } from '#components/i18n/use-project-texts.ts';
import { ChangedText, ShownText } from '#components/review/changed-text.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Switch } from '#components/ui/switch.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { ProjectState, Projects } from '#studio/project/projects.ts';

/**
 * Returns, for files that ask again because their content has changed, the content that the person allowed last, by the
 * hash of the new content. Empty until it is read.
 */
function useLastAllowed(
  projects: Projects,
  files: ProjectState['files'],
  answers: ProjectState['answers'],
): ReadonlyMap<string, string> {
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map());
  const [asked] = useState(() => files.filter(({ hash }) => answers[hash] === undefined));
  useEffect(() => {
    // Without the history, the whole new content is shown.
    projects.lastAllowed(asked).then(setFound, () => undefined);
  }, [projects, asked]);
  return found;
}

function Content({ path, now, before }: { path: string; now: string; before: string | undefined }) {
  const texts = useProjectTexts();
  return before === undefined ? (
    <ShownText text={visibleText(now)} />
  ) : (
    <ChangedText heading={texts.changed} path={path} before={visibleText(before)} now={visibleText(now)} />
  );
}

interface ProjectDialogProps {
  projects: Projects;
  state: ProjectState;
  onClose(): void;
}

/**
 * A dialog that shows each file of the workspace with instructions, skills, tools, or prompts, and lets the person allow the
 * model to use it, or not.
 */
export default function ProjectDialog({ projects, state: { files, problems, answers }, onClose }: ProjectDialogProps) {
  const t = useMessages();
  const texts = useProjectTexts();
  /** The person's choices that are not saved yet: whether a file's content is allowed, by its hash. */
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const isAllowed = (hash: string) => chosen[hash] ?? answers[hash] ?? false;
  const [shown] = useState(() => new Set(files.map(({ hash }) => hash)));
  const before = useLastAllowed(projects, files, answers);
  const save = async () => {
    const seen = files.filter(({ hash }) => shown.has(hash));
    await projects.answer(
      seen.filter(({ hash }) => isAllowed(hash)),
      true,
    );
    await projects.answer(
      seen.filter(({ hash }) => !isAllowed(hash)),
      false,
    );
    onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title={texts.title} description={texts.help}>
      <div className="grid gap-3 text-sm">
        {files.length === 0 && problems.length === 0 ? <p>{texts.none}</p> : null}
        <ul className="grid max-h-[60vh] gap-3 overflow-y-auto">
          {files
            .filter(({ hash }) => shown.has(hash))
            .map(({ path, hash, shown: content, kind, isCut }) => (
              <li key={hash} className="rounded-md border border-line p-1">
                <Switch
                  label={texts.allow(visibleText(path))}
                  shown={visibleText(path)}
                  help={[texts.kinds[kind], ...(isCut ? [texts.cut] : [])].join(' ')}
                  isOn={isAllowed(hash)}
                  onChange={() => setChosen({ ...chosen, [hash]: !isAllowed(hash) })}
                />
                <div className="mx-2 mb-1">
                  <Content path={path} now={content} before={before.get(hash)} />
                </div>
              </li>
            ))}
          {problems.map(({ path, code, reason = '' }) => (
            <li key={path} className="break-words px-2 text-muted">
              <span className="text-text">{visibleText(path)}</span> {texts.problems[code]} {visibleText(reason)}
            </li>
          ))}
        </ul>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button variant="primary" data-initial-focus onClick={() => void save()}>
            {texts.save}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
