'use client';

import { useMemo } from 'react';
import { useWorkspace, useWorkspaceTree } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { useApiTexts } from '#components/i18n/use-api-texts.ts';
import { FileButton } from '#components/ui/file-button.tsx';
import { Select } from '#components/ui/select.tsx';
import { REST_LIMITS } from '#lib/sources/http-api/limits.ts';

const ACCEPTED = '.yaml,.yml,.json';

/** The size limit of a file: a character takes at most 4 bytes. Its number of characters is checked when it is read. */
const FILE_MAX_BYTES = REST_LIMITS.document * 4;

/** The maximum number of workspace files that are offered. */
const FILES_MAX = 100;

interface TextSourceProps {
  onText(text: string): void;
  onFault(fault: string): void;
}

/**
 * Lets the person choose a YAML or JSON file of this computer or of the shown workspace. Passes its text to `onText`, or the
 * reason why it could not be read to `onFault`.
 */
export function TextSource({ onText, onFault }: TextSourceProps) {
  const t = useMessages();
  const texts = useApiTexts();
  const workspace = useWorkspace();
  const items = useWorkspaceTree((tree) => (tree.workspaceId === workspace?.id ? tree.items : undefined));
  const paths = useMemo(
    () =>
      [...(items?.values() ?? [])]
        .filter(({ path, isDirectory }) => !isDirectory && /\.(ya?ml|json)$/i.test(path))
        .map(({ path }) => path)
        .slice(0, FILES_MAX),
    [items],
  );
  const take = (reading: Promise<string>) => {
    reading.then(onText, (error: unknown) =>
      onFault(texts.faults.file(error instanceof Error ? error.message : String(error))),
    );
  };
  return (
    <div className="flex flex-wrap gap-2">
      <FileButton
        label={texts.openFile}
        accept={ACCEPTED}
        onFile={(file) =>
          file.size > FILE_MAX_BYTES
            ? onFault(texts.faults.fileSize(REST_LIMITS.document.toLocaleString(t.locale)))
            : take(file.text())
        }
      />
      {workspace === undefined || paths.length === 0 ? null : (
        <Select
          label={texts.fromWorkspace}
          value=""
          placeholder={texts.fromWorkspace}
          options={paths.map((path) => ({ value: path, label: path }))}
          onValueChange={(path) =>
            take(workspace.fileSystem.readFile(path).then((data) => new TextDecoder().decode(data)))
          }
        />
      )}
    </div>
  );
}
