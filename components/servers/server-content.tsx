'use client';

import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import type { ServerTexts } from '#components/i18n/server-texts.ts';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { IconButton } from '#components/ui/button.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { AttachedContent } from '#lib/mcp/attached-content.ts';
import { MCP_LIMITS } from '#lib/mcp/limits.ts';
import type { McpPrompt } from '#lib/mcp/listed-content.ts';
import { filesOf } from './attached-files.ts';
import { PromptDialog } from './prompt-dialog.tsx';

/** What of a server is to be put into the message. */
export type ServerWanted = { server: string } & (
  | { type: 'resource'; uri: string; name: string }
  | { type: 'prompt'; prompt: McpPrompt }
);

interface ServerContentProps {
  wanted: ServerWanted;
  onFiles(files: File[]): void;
  onText(text: string): void;
  onClose(): void;
}

/** Asks for a prompt's arguments, gets a resource or a prompt from its server, and says how that goes. */
export default function ServerContent({ wanted, ...props }: ServerContentProps) {
  const texts = useServerTexts();
  const [args, setArgs] = useState<Record<string, string> | undefined>(
    wanted.type === 'prompt' && wanted.prompt.arguments.length > 0 ? undefined : {},
  );
  if (wanted.type === 'prompt' && args === undefined)
    return (
      <PromptDialog
        prompt={wanted.prompt}
        help={texts.content.promptHelp(wanted.server)}
        argumentMax={MCP_LIMITS.promptArgument}
        onSubmit={setArgs}
        onClose={props.onClose}
      />
    );
  return <Reading wanted={wanted} args={args ?? {}} {...props} />;
}

function Reading({
  wanted,
  args,
  onFiles,
  onText,
  onClose,
}: ServerContentProps & { args: Readonly<Record<string, string>> }) {
  const t = useMessages();
  const texts = useServerTexts();
  const { tools } = useStudio();
  const [problem, setProblem] = useState<string>();
  const name = nameOf(wanted);
  // It is asked for once, whatever is rendered meanwhile.
  const latest = useRef({ wanted, args, name, texts, onFiles, onText, onClose });
  latest.current = { wanted, args, name, texts, onFiles, onText, onClose };
  useEffect(() => {
    const controller = new AbortController();
    const read = async () => {
      const { servers } = await tools.load();
      const asked = latest.current;
      const { server } = asked.wanted;
      const request =
        asked.wanted.type === 'resource'
          ? { uri: asked.wanted.uri }
          : { prompt: asked.wanted.prompt.name, args: { ...asked.args } };
      const content = await servers.content(server, request, controller.signal);
      if (controller.signal.aborted) return;
      if ('problem' in content) {
        const reason = `${visibleText(content.problem.detail)} ${asked.texts.content.failedHelp}`;
        setProblem(asked.texts.content.failed(asked.name, server, reason));
        return;
      }
      const files = filesOf(content, server);
      if (files.length > 0) latest.current.onFiles(files);
      // What the person cannot see they could not read before they send it.
      if (content.text !== '') latest.current.onText(visibleText(content.text));
      const left = leftText(content, asked.name, server, asked.texts);
      if (left === undefined) latest.current.onClose();
      else setProblem(left);
    };
    void read();
    return () => controller.abort();
  }, [tools]);
  return (
    <p
      role={problem === undefined ? 'status' : 'alert'}
      className={`mb-1 flex items-center gap-2 px-1 text-sm ${problem === undefined ? 'text-muted' : 'text-failed'}`}
    >
      {problem === undefined ? <Spinner /> : null}
      <span className="min-w-0 break-words">{problem ?? texts.content.reading(name, wanted.server)}</span>
      <IconButton label={problem === undefined ? t.common.cancel : t.common.close} onClick={onClose}>
        <X aria-hidden size={14} />
      </IconButton>
    </p>
  );
}

const nameOf = (wanted: ServerWanted): string =>
  visibleText(wanted.type === 'resource' ? wanted.name : (wanted.prompt.title ?? wanted.prompt.name));

/** What was left out, if anything was. */
function leftText(
  { text, files, left }: AttachedContent,
  name: string,
  server: string,
  { content }: ServerTexts,
): string | undefined {
  if (left.length > 0) return content.left(name, left.join(' '));
  return text === '' && files.length === 0 ? content.empty(name, server) : undefined;
}
