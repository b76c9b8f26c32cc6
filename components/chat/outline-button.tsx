'use client';

import { ListTree } from 'lucide-react';
import { useMemo } from 'react';
import { useConversation } from '#components/hooks/conversation.ts';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { Menu } from '#components/ui/menu.tsx';
import type { AssistantMessage } from '#lib/messages/message.ts';
import { partName } from '#lib/messages/part-name.ts';
import { outlineOf } from '../markdown/outline.ts';
import { OUTLINE_MIN } from './outline-min.ts';
import { showHeading } from './show-heading.ts';

/** A button that lists the headings of a long answer. Choosing one scrolls to it and gives it the focus. */
export default function OutlineButton({ message }: { message: AssistantMessage }) {
  const texts = useMarkdownTexts();
  const conversation = useConversation();
  const { id, parts } = message;
  const outline = useMemo(
    () => parts.flatMap((part, index) => (part.type === 'text' ? outlineOf(part.text, partName(id, index, part)) : [])),
    [id, parts],
  );
  if (outline.length < OUTLINE_MIN.headings) return null;
  return (
    <Menu
      align="start"
      trigger={
        <IconButton label={texts.outline}>
          <ListTree aria-hidden size={15} />
        </IconButton>
      }
      entries={outline.map((entry) => ({
        label: entry.text,
        id: `${entry.block}/${entry.ordinal}`,
        depth: entry.depth,
        onSelect: () => void showHeading(conversation, id, entry),
      }))}
    />
  );
}
