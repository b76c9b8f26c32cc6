import { useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { ConnectionEditor } from '#studio/connections/connection-editor.ts';

/** Returns an object that tests, adds, and changes the person's connections to model providers. */
export function useConnectionEditor(): ConnectionEditor {
  const { connections, modelRecords } = useStudio();
  const [editor] = useState(() => new ConnectionEditor(connections, modelRecords));
  return editor;
}
