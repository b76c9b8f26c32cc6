'use client';

import { useAui, useAuiState } from '@assistant-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { IconButton } from '#components/ui/button.tsx';

/**
 * Shows which version of a message is open, and switches between them. Renders nothing for a message with one version.
 * Unlike assistant-ui's own picker, it works while an answer is streaming.
 */
export function BranchPicker() {
  const t = useAllMessages();
  const aui = useAui();
  const number = useAuiState((state) => state.message.branchNumber);
  const total = useAuiState((state) => state.message.branchCount);
  if (total < 2) return null;
  return (
    <span className="inline-flex items-center text-muted text-xs">
      <IconButton
        label={t.messages.previousBranch}
        disabled={number <= 1}
        onClick={() => aui.message.switchToBranch({ position: 'previous' })}
      >
        <ChevronLeft aria-hidden size={15} />
      </IconButton>
      <span>
        <span className="sr-only">{t.messages.branch(number, total)}</span>
        <span aria-hidden className="tabular-nums">{`${number}/${total}`}</span>
      </span>
      <IconButton
        label={t.messages.nextBranch}
        disabled={number >= total}
        onClick={() => aui.message.switchToBranch({ position: 'next' })}
      >
        <ChevronRight aria-hidden size={15} />
      </IconButton>
    </span>
  );
}
