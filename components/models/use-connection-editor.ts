import { useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { ConnectionEditor } from '#studio/connections/connection-editor.ts';

/** Changes the person's connections. */
export function useConnectionEditor(): ConnectionEditor {
  const { connections, modelRecords } = useStudio();
  const [editor] = useState(() => new ConnectionEditor(connections, modelRecords));
  return editor;
}
