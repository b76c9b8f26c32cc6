import {
  ClipboardCopy,
  Copy,
  Download,
  File,
  FilePlus,
  FolderInput,
  FolderPlus,
  GitCompare,
  Pencil,
  Trash2,
  Upload,
} from 'lucide-react';
import { useSession, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { useWorkbench } from '#components/hooks/workbench.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { copyText } from '#components/ui/copy-text.ts';
import type { MenuEntry } from '#components/ui/menu-list.tsx';
import type { ThreadSnapshot } from '#lib/threads/thread-record.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import { basename } from '#lib/vfs/paths.ts';
import { textFromBytes } from '#lib/vfs/text-form.ts';
import { downloadZip } from '#studio/download-zip.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { download } from '#studio/page/download.ts';
import { chooseFiles } from './choose-files.ts';
import type { FileAction } from './file-actions.tsx';

interface EntryMenuOptions {
  workspace: OpenedWorkspace;
  onAction(action: FileAction): void;
  attempt(work: () => Promise<void>): void;
}

interface Target {
  /** One entry, or the whole selection. */
  paths: readonly string[];
  isDirectory: boolean;
  rename(): void;
  remove(): void;
}

/**
 * The version that the files had when the user's newest message with a known version in the open branch was sent; undefined
 * if there is no such message.
 */
function selectCheckpoint({ branch, thread }: ThreadSnapshot): Version | undefined {
  const message = branch.findLast(({ id, role }) => role === 'user' && thread.checkpoints[id] !== undefined);
  return message === undefined ? undefined : thread.checkpoints[message.id];
}

/**
 * Returns a function that makes the menu for one or more entries of the tree of files. `onAction`: opens the dialog of an
 * action that needs one. `attempt`: runs any other action, and says why if it fails.
 */
export function useEntryMenu({ workspace, onAction, attempt }: EntryMenuOptions): (target: Target) => MenuEntry[] {
  const t = useAllMessages();
  const { imports, tabs, filePane } = useStudio();
  const { openFile } = useWorkbench();
  const session = useThreads((state) => state.session);
  const checkpoint = useSession(session, selectCheckpoint);
  const save = async (path: string, isDirectory: boolean) => {
    const name = basename(path);
    if (isDirectory) await downloadZip(filePane, workspace, path, `${name}.zip`);
    else download(new Blob([(await workspace.fileSystem.readFile(path)) as Uint8Array<ArrayBuffer>]), name);
  };
  const put = async (text: string) => {
    if (!(await copyText(text))) throw new Error(t.files.notCopied);
  };
  const copy = async (path: string) => {
    const read = await textFromBytes(await workspace.fileSystem.readFile(path));
    if (read === undefined) throw new Error(t.files.notText);
    await put(read.text);
  };
  return ({ paths, isDirectory, rename, remove }) => {
    const [path = '/', ...others] = paths;
    const deletion: MenuEntry = {
      label: others.length > 0 ? t.files.deleteSeveral(paths.length) : t.common.delete,
      icon: <Trash2 aria-hidden size={14} />,
      danger: true,
      onSelect: remove,
    };
    if (others.length > 0) return [deletion];
    const entry = (label: string, Icon: typeof File, onSelect: () => void): MenuEntry => ({
      label,
      icon: <Icon aria-hidden size={14} />,
      onSelect,
    });
    const own = isDirectory
      ? [
          entry(t.files.newFile, FilePlus, () => onAction({ type: 'new-file', directory: path })),
          entry(t.files.newFolder, FolderPlus, () => onAction({ type: 'new-folder', directory: path })),
          entry(t.files.importHere, Upload, () => chooseFiles(imports, workspace, path, 'files')),
        ]
      : [
          entry(t.files.open, File, () => openFile(path)),
          ...(checkpoint === undefined
            ? []
            : [
                entry(t.files.compare, GitCompare, () =>
                  attempt(async () => {
                    const changes = await workspace.history.changesSince(checkpoint);
                    const before = changes.find((change) => change.path === path);
                    const past = before === undefined ? 'current' : (before.before ?? null);
                    tabs.openDiff(path, { before: past, after: 'current', label: t.files.comparedWithCheckpoint });
                  }),
                ),
              ]),
        ];
    return [
      ...own,
      entry(t.common.rename, Pencil, rename),
      entry(t.files.moveTo, FolderInput, () => onAction({ type: 'rename', path })),
      entry(t.files.copyPath, ClipboardCopy, () => attempt(() => put(path))),
      ...(isDirectory ? [] : [entry(t.files.copyContents, Copy, () => attempt(() => copy(path)))]),
      entry(isDirectory ? t.files.downloadZip : t.files.download, Download, () =>
        attempt(() => save(path, isDirectory)),
      ),
      deletion,
    ];
  };
}
