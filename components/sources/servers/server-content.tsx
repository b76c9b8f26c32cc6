'use client';

import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import type { ServerTexts } from '#components/i18n/server-texts.ts';
import { useServerTexts } from '#components/i18n/use-server-texts.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { visibleText } from '#components/ui/visible-text.ts';
import type { AttachedContent } from '#lib/sources/mcp/attached-content.ts';
import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import type { McpArgument, McpPrompt, McpTemplate } from '#lib/sources/mcp/listed-content.ts';
import type { McpContentRequest } from '#lib/sources/mcp/mcp-host.ts';
import { ArgumentsDialog } from './arguments-dialog.tsx';
import { filesOf } from './attached-files.ts';
import { useSuggestions } from './use-suggestions.ts';

/** A resource, resource template, or prompt of a tool server that the person has chosen to put into the message. */
export type ServerWanted = { server: string } & (
  | { type: 'resource'; uri: string; name: string }
  /** `completes`: whether the server suggests values for arguments. */
  | { type: 'template'; template: McpTemplate; completes: boolean }
  | { type: 'prompt'; prompt: McpPrompt; completes: boolean }
);

interface ServerContentProps {
  wanted: ServerWanted;
  onFiles(files: File[]): void;
  onText(text: string): void;
  onClose(): void;
}

/**
 * Asks for arguments if there are any, fetches a resource or a prompt from its tool server, and shows how that goes. Passes
 * the fetched files to `onFiles` and the text to `onText`.
 */
export default function ServerContent({ wanted, ...props }: ServerContentProps) {
  const asked = argumentsOf(wanted);
  const [isAsking, setAsking] = useState(asked.length > 0);
  const [args, setArgs] = useState<Readonly<Record<string, string>>>({});
  if (!isAsking || wanted.type === 'resource')
    return (
      <Reading
        {...{ wanted, args, ...props }}
        // So that the person can correct the arguments if they are the reason for a failure.
        onBack={asked.length > 0 ? () => setAsking(true) : undefined}
      />
    );
  return (
    <ServerArguments
      wanted={wanted}
      values={args}
      onSubmit={(values) => {
        setArgs(values);
        setAsking(false);
      }}
      onClose={props.onClose}
    />
  );
}

interface ServerArgumentsProps {
  wanted: Exclude<ServerWanted, { type: 'resource' }>;
  values: Readonly<Record<string, string>>;
  onSubmit(args: Record<string, string>): void;
  onClose(): void;
}

/** Asks for the arguments of a prompt or of a resource template, with what the server suggests for them. */
function ServerArguments({ wanted, values, onSubmit, onClose }: ServerArgumentsProps) {
  const { content } = useServerTexts();
  const { server, completes } = wanted;
  const isPrompt = wanted.type === 'prompt';
  const suggestions = useSuggestions(
    server,
    isPrompt ? { prompt: wanted.prompt.name } : { uriTemplate: wanted.template.uriTemplate },
  );
  return (
    <ArgumentsDialog
      title={isPrompt ? content.promptTitle(nameOf(wanted)) : content.templateTitle(nameOf(wanted))}
      description={isPrompt ? wanted.prompt.description : wanted.template.description}
      help={
        isPrompt ? content.promptHelp(server) : content.templateHelp(server, visibleText(wanted.template.uriTemplate))
      }
      action={isPrompt ? content.insert : content.attach}
      arguments={argumentsOf(wanted)}
      values={values}
      argumentMax={MCP_LIMITS.promptArgument}
      suggestions={completes ? suggestions : undefined}
      onSubmit={onSubmit}
      onClose={onClose}
    />
  );
}

const argumentsOf = (wanted: ServerWanted): readonly McpArgument[] =>
  wanted.type === 'resource' ? [] : wanted.type === 'prompt' ? wanted.prompt.arguments : wanted.template.arguments;

const requestOf = (wanted: ServerWanted, args: Readonly<Record<string, string>>): McpContentRequest => {
  if (wanted.type === 'resource') return { uri: wanted.uri };
  return wanted.type === 'prompt'
    ? { prompt: wanted.prompt.name, args: { ...args } }
    : { uriTemplate: wanted.template.uriTemplate, args: { ...args } };
};

interface ReadingProps extends ServerContentProps {
  args: Readonly<Record<string, string>>;
  /** Asks for the arguments again after a failure; undefined if there are none. */
  onBack: (() => void) | undefined;
}

function Reading({ wanted, args, onFiles, onText, onClose, onBack }: ReadingProps) {
  const t = useMessages();
  const texts = useServerTexts();
  const { tools } = useStudio();
  const [problem, setProblem] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  const name = nameOf(wanted);
  // Through a ref, so that the content is fetched only once, however often this renders.
  const latest = useRef({ wanted, args, name, texts, onFiles, onText, onClose });
  latest.current = { wanted, args, name, texts, onFiles, onText, onClose };
  useEffect(() => {
    const controller = new AbortController();
    const read = async () => {
      const { servers } = (await tools.load()).sources;
      const asked = latest.current;
      const { server } = asked.wanted;
      const content = await servers.calls.content(server, requestOf(asked.wanted, asked.args), controller.signal);
      if (controller.signal.aborted) return;
      if ('problem' in content) {
        setFailed(true);
        const reason = `${visibleText(content.problem.detail)} ${asked.texts.content.failedHelp}`;
        setProblem(asked.texts.content.failed(asked.name, server, reason));
        return;
      }
      const files = filesOf(content, server);
      if (files.length > 0) latest.current.onFiles(files);
      // With invisible characters as escapes, so that the person can read all of the text before sending it.
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
      {hasFailed && onBack !== undefined ? <Button onClick={onBack}>{texts.content.change}</Button> : null}
      <IconButton label={problem === undefined ? t.common.cancel : t.common.close} onClick={onClose}>
        <X aria-hidden size={14} />
      </IconButton>
    </p>
  );
}

function nameOf(wanted: ServerWanted): string {
  if (wanted.type === 'resource') return visibleText(wanted.name);
  const { name, title } = wanted.type === 'prompt' ? wanted.prompt : wanted.template;
  return visibleText(title ?? name);
}

/** Says what of the content was left out, or that there was none; undefined if all of it was put into the message. */
function leftText(
  { text, files, left }: AttachedContent,
  name: string,
  server: string,
  { content }: ServerTexts,
): string | undefined {
  if (left.length > 0) return content.left(name, left.join(' '));
  return text === '' && files.length === 0 ? content.empty(name, server) : undefined;
}
