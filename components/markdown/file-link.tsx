'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useWorkspace } from '#components/hooks/studio-provider.tsx';
import { WorkbenchContext } from '#components/hooks/workbench.ts';
import { type FileTarget, targetOfCode } from './file-target.ts';

const CODE = 'rounded-sm bg-hover px-1 py-0.5 font-mono text-[0.88em]';

/**
 * Says whether a text is inside a link (`link`), inside a button that stands for one (`button`), or in neither (undefined).
 * In both, no further link is drawn. In a link, an image may still offer a button that loads it.
 */
export const LinkAround = createContext<'link' | 'button' | undefined>(undefined);

interface FileLinkProps {
  target: FileTarget;
  /** The address as it was written. The link leads there on pages without an editor. */
  href: string;
  className: string;
  children: ReactNode;
}

/**
 * A link that opens a file of the workspace in the editor, at its line. Inside another link, renders only its `children`; on
 * a page without an editor, a link to `href`.
 */
export function FileLink({ target: { path, place }, href, className, children }: FileLinkProps) {
  const workbench = useContext(WorkbenchContext);
  const isInLink = useContext(LinkAround) !== undefined;
  if (isInLink) return children;
  if (workbench === undefined)
    return (
      <a href={href} className={className}>
        <LinkAround value="link">{children}</LinkAround>
      </a>
    );
  return (
    <button
      type="button"
      data-inline
      data-printed=""
      translate="no"
      dir="auto"
      className={`text-start ${className}`}
      onClick={() => workbench.openFile(path, place)}
    >
      <LinkAround value="button">{children}</LinkAround>
    </button>
  );
}

/** Inline code. If it names an existing file of the workspace, a click opens the file in the editor. */
export function InlineCode({ text }: { text: string }) {
  const isInLink = useContext(LinkAround) !== undefined;
  const hasEditor = useContext(WorkbenchContext) !== undefined;
  const target = isInLink || !hasEditor ? undefined : targetOfCode(text);
  const code = (
    <code translate="no" className={CODE}>
      {text}
    </code>
  );
  return target === undefined ? code : <FileCode target={target}>{code}</FileCode>;
}

function FileCode({ target, children }: { target: FileTarget; children: ReactNode }) {
  const { path } = target;
  const workspace = useWorkspace();
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    setThere(false);
    workspace?.fileSystem.stat(path).then(
      ({ type }) => isCurrent && setThere(type === 'file'),
      // The file does not exist, so the code is no link.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [workspace, path]);
  if (!isThere) return children;
  return (
    <FileLink
      target={target}
      href={path}
      className="underline decoration-dotted underline-offset-2 hover:decoration-solid"
    >
      {children}
    </FileLink>
  );
}
