'use client';

import { useMemo } from 'react';
import { useWorkspace, useWorkspaceTree } from '#components/hooks/studio-provider.tsx';
import { useApiTexts } from '#components/i18n/use-api-texts.ts';
import { FileButton } from '#components/ui/file-button.tsx';
import { Select } from '#components/ui/select.tsx';

const ACCEPTED = '.yaml,.yml,.json';

/** How many files of the workspace are offered. */
const FILES_MAX = 100;

interface TextSourceProps {
  onText(text: string): void;
  onFault(fault: string): void;
}

/** Takes a description from a file of this machine, or of the workspace that is shown. */
export function TextSource({ onText, onFault }: TextSourceProps) {
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
      <FileButton label={texts.openFile} accept={ACCEPTED} onFile={(file) => take(file.text())} />
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
