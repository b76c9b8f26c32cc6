'use client';

import { X } from 'lucide-react';
import { useSettings, useStudio, useThreads } from '#components/hooks/studio-provider.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { textMessage } from '#lib/messages/text-message.ts';
import type { CodePreview } from '#studio/code-preview.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { usePreviewTexts } from './use-preview-texts.ts';

/** The preview of code of an answer, in place of the workspace's page. */
export function CodePreviewView({ code: { preview, fileSystem }, shown }: { code: CodePreview; shown: boolean }) {
  const texts = usePreviewTexts();
  const { previews, threads } = useStudio();
  const theme = useSettings((state) => state.theme);
  const hasThread = useThreads(({ session }) => session !== undefined);
  return (
    <PreviewPanel
      preview={preview}
      fileSystem={fileSystem}
      theme={theme}
      shown={shown}
      {...(hasThread && {
        onFix: (problems: string) => void threads.send(textMessage(texts.fixCodeMessage(problems))),
      })}
    >
      <div className="flex items-center gap-2 border-line border-b pl-3 text-muted text-xs">
        <p role="status" className="flex-1 py-1">
          {texts.codeOfAnswer}
        </p>
        <IconButton label={texts.closeCode} size="small" onClick={() => previews.closeCode()}>
          <X aria-hidden size={14} />
        </IconButton>
      </div>
    </PreviewPanel>
  );
}
