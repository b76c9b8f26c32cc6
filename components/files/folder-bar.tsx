import { FolderSync } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useStudio, useWorkspaces } from '#components/hooks/studio-provider.tsx';
import type { AllMessages } from '#components/i18n/catalog.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Button } from '#components/ui/button.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { SkipReason } from '#studio/local-folder/disk-folder.ts';
import type { FolderStatus, LocalFolder } from '#studio/local-folder/local-folder.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { describeFileProblem } from './file-problem.ts';

/** Maximum number of files that are listed as not synced. */
const MAX_SHOWN = 100;

/**
 * Shows how the workspace syncs with its folder on the computer, with commands and conflicts. Renders nothing if the
 * workspace has no folder.
 */
export function FolderBar({ workspace }: { workspace: OpenedWorkspace }) {
  const folder = useWorkspaces(({ folders }) => folders.get(workspace.id));
  return folder === undefined ? null : <Folder workspaceId={workspace.id} folder={folder} />;
}

function Folder({ workspaceId, folder }: { workspaceId: string; folder: LocalFolder }) {
  const t = useAllMessages();
  const { workspaces } = useStudio();
  const { name, status, conflicts, skipped } = useStore(folder.state);
  const [wasOpened, setOpen] = useState<boolean>();
  const isOpen = wasOpened ?? needsPerson(status);
  const state = conflicts.length > 0 ? t.folder.conflicts(conflicts.length) : t.folder.states[status.type];
  const actions: { label: string; run(): Promise<void> | void }[] = [];
  if (status.type === 'locked') actions.push({ label: t.folder.unlock, run: () => folder.start({ ask: true }) });
  if (status.type === 'paused' || status.type === 'failed')
    actions.push({ label: t.folder.resume, run: () => folder.resume() });
  if (status.type === 'synced' || status.type === 'incomplete')
    actions.push({ label: t.folder.pause, run: () => folder.pause('person') });
  actions.push({ label: t.folder.leave, run: () => workspaces.leaveFolder(workspaceId) });
  return (
    <div className="shrink-0 border-line border-b bg-sunken px-2 py-1 text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 text-left"
      >
        <FolderSync aria-hidden size={14} className={status.type === 'synced' ? 'text-done' : 'text-waiting'} />
        <span className="min-w-0 flex-1 truncate">{visibleText(name)}</span>
        <span className="text-muted text-xs">{state}</span>
      </button>
      <p role="status" className="sr-only">
        {state}
      </p>
      {isOpen ? (
        <div className="mt-1 flex flex-wrap gap-2 pb-1">
          {detailOf(status, t) === undefined ? null : <p className="w-full">{detailOf(status, t)}</p>}
          {actions.map(({ label, run }) => (
            <Button key={label} onClick={() => void run()}>
              {label}
            </Button>
          ))}
        </div>
      ) : null}
      {isOpen && status.type === 'incomplete' ? (
        <ul aria-label={t.folder.states.incomplete} className="max-h-40 overflow-y-auto border-line border-t">
          {skipped.slice(0, MAX_SHOWN).map(({ path, reason }) => (
            <li key={path} className="py-1">
              <span className="block truncate font-mono text-[13px]">{visibleText(path)}</span>
              <span className="block text-muted text-xs">{describeReason(reason, t)}</span>
            </li>
          ))}
          {skipped.length > MAX_SHOWN ? (
            <li className="py-1 text-muted text-xs">{t.folder.moreSkipped(skipped.length - MAX_SHOWN)}</li>
          ) : null}
        </ul>
      ) : null}
      {conflicts.map((path) => (
        <div key={path} className="flex flex-wrap items-center gap-2 border-line border-t py-1">
          <span className="min-w-0 flex-1 truncate font-mono text-[13px]">{visibleText(path)}</span>
          <Button
            aria-label={t.folder.keepOf(t.folder.keepWorkspace, path)}
            onClick={() => void folder.resolve(path, 'workspace')}
          >
            {t.folder.keepWorkspace}
          </Button>
          <Button
            aria-label={t.folder.keepOf(t.folder.keepFolder, path)}
            onClick={() => void folder.resolve(path, 'folder')}
          >
            {t.folder.keepFolder}
          </Button>
        </div>
      ))}
    </div>
  );
}

const needsPerson = ({ type }: FolderStatus): boolean =>
  type === 'locked' || type === 'paused' || type === 'failed' || type === 'incomplete';

function describeReason(reason: SkipReason, t: AllMessages): string {
  const { reasons } = t.folder;
  if (reason.type === 'name') return reasons.name(visibleText(reason.existing));
  return 'message' in reason ? reasons[reason.type](reason.message) : reasons[reason.type];
}

function detailOf(status: FolderStatus, t: AllMessages): string | undefined {
  const { details } = t.folder;
  if (status.type === 'failed') return describeFileProblem(status.error, t);
  if (status.type === 'locked' || status.type === 'incomplete') return details[status.type];
  if (status.type !== 'paused') return undefined;
  return status.reason === 'move' ? details.move : details.paused;
}
