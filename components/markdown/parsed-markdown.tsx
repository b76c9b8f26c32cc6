import { memo, type ReactNode, useContext, useMemo } from 'react';
import ReactMarkdown, { type Components, defaultUrlTransform, type Options } from 'react-markdown';
import remarkCjkFriendly from 'remark-cjk-friendly';
import remarkCjkStrikethrough from 'remark-cjk-friendly-gfm-strikethrough';
import remarkGfm from 'remark-gfm';
import { AlertBox } from './alert-box.tsx';
import { alerts } from './alerts.ts';
import { hasRightToLeft } from './direction.ts';
import { FencedCode } from './fenced-code.tsx';
import { FileImage } from './file-image.tsx';
import { FileLink, InlineCode, LinkAround } from './file-link.tsx';
import { targetOfLink } from './file-target.ts';
import { FormulaView } from './formula-view.tsx';
import { formulaNodes, markFormulas } from './formulas.ts';
import { Heading } from './heading.tsx';
import { RemoteImage } from './image-link.tsx';
import { inlineHtml } from './inline-html.ts';
import { InnerTable } from './inner-table.tsx';
import { MARKDOWN_LIMITS } from './limits.ts';
import { trimLiteralLinks } from './literal-links.ts';
import { SourceContext } from './source-context.ts';
import { TableHead } from './table-head.tsx';
import { directed, loosened, type Shape, shaped } from './tree-shapes.ts';

const LINK = 'text-accent underline underline-offset-2';

function PlacedFormula({ index }: { index: number }) {
  const formula = useContext(SourceContext).formulas[index];
  return formula && <FormulaView formula={formula} />;
}

const COMPONENTS: Components = {
  // No Markdown makes this element but the plugin for formulas.
  var: ({ node }) => <PlacedFormula index={Number(node?.properties.dataFormula)} />,
  pre: ({ children }) => children,
  code: ({ className, children }) => {
    const text = String(children ?? '');
    const language = /language-(\S+)/.exec(className ?? '')?.[1];
    // The text of a fenced block is empty or ends with a line break; inline code never does.
    if (language === undefined && text !== '' && !text.endsWith('\n')) {
      return <InlineCode text={text} />;
    }
    return <FencedCode code={text.replace(/\n$/, '')} language={language} />;
  },
  a: ({ href = '', id, children }) => {
    if (href.startsWith('#'))
      return (
        <a href={href} id={id} className={LINK}>
          <LinkAround value="link">{children}</LinkAround>
        </a>
      );
    const target = targetOfLink(href);
    if (target !== undefined)
      return (
        <FileLink target={target} href={href} className={LINK}>
          {linkText(children)}
        </FileLink>
      );
    return (
      <a
        href={href}
        target="_blank"
        rel="noreferrer noopener"
        className={LINK}
        // A print says where the link goes, unless its text does.
        data-address={isAddress(children) ? undefined : href}
      >
        <LinkAround value="link">{linkText(children)}</LinkAround>
      </a>
    );
  },
  // Nothing is loaded from other sites before the person has allowed it.
  img: ({ src, alt = '' }) => {
    const href = typeof src === 'string' ? src : '';
    const target = targetOfLink(href);
    if (target !== undefined)
      return (
        <FileImage path={target.path} alt={alt}>
          <FileLink target={target} href={href} className={LINK}>
            {alt || linkText(href)}
          </FileLink>
        </FileImage>
      );
    return <RemoteImage url={href} alt={alt} text={alt || linkText(href)} linkClassName={LINK} />;
  },
  h1: (props) => <Heading {...props} as="h1" />,
  h2: (props) => <Heading {...props} as="h2" />,
  h3: (props) => <Heading {...props} as="h3" />,
  h4: (props) => <Heading {...props} as="h4" />,
  h5: (props) => <Heading {...props} as="h5" />,
  h6: (props) => <Heading {...props} as="h6" />,
  aside: ({ node, children }) => <AlertBox kind={node?.properties.dataAlert}>{children}</AlertBox>,
  th: ({ node, children, style, dir }) => (
    <TableHead column={columnOf(node?.properties.dataColumn)} style={style} dir={dir}>
      {children}
    </TableHead>
  ),
  table: ({ node, children }) => <InnerTable node={node}>{children}</InnerTable>,
};

/** The number of a column that `shaped` has given it. */
const columnOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The address if it is safe to follow or leads to a file of the workspace; otherwise empty. */
const safeUrl = (url: string): string => (targetOfLink(url) === undefined ? defaultUrlTransform(url) : url);

/** Checks whether the text of a link is an address. */
const isAddress = (text: unknown): boolean =>
  typeof text === 'string' && /^(?:https?:\/\/|www\.|mailto:)\S+$/.test(text);

/** The text of a link, shortened if it is very long and has no spaces, as an address does. */
function linkText(text: unknown): ReactNode {
  if (typeof text !== 'string') return text as ReactNode;
  const isLong = text.length > MARKDOWN_LIMITS.linkTextMax && !/\s/.test(text);
  return isLong ? `${text.slice(0, MARKDOWN_LIMITS.linkTextMax)}…` : text;
}

/** The remark plugins. In Chinese and Japanese, `**` may stand next to punctuation. A single tilde is text, as in “5~7”. */
const SYNTAX: NonNullable<Options['remarkPlugins']> = [
  [remarkGfm, { singleTilde: false }],
  remarkCjkFriendly,
  [remarkCjkStrikethrough, { singleTilde: false }],
  inlineHtml,
  alerts,
];

const plugins = (shape: Shape): Pick<Options, 'remarkPlugins' | 'rehypePlugins'> => ({
  remarkPlugins: shape === 'loose-items' ? [...SYNTAX, loosened] : SYNTAX,
  rehypePlugins: [shaped(shape), trimLiteralLinks],
});

/** Adds the plugin for text that has letters written from right to left. */
const withDirections = ({ rehypePlugins, ...others }: ReturnType<typeof plugins>) => ({
  ...others,
  rehypePlugins: [...(rehypePlugins ?? []), directed],
});

const PLUGINS: Record<Shape, ReturnType<typeof plugins>> = {
  text: plugins('text'),
  items: plugins('items'),
  'loose-items': plugins('loose-items'),
  table: plugins('table'),
  rows: plugins('rows'),
  footnotes: plugins('footnotes'),
};

interface ParsedMarkdownProps {
  source: string;
  /** The definitions to which the source refers, as Markdown to be put before it. */
  references: string;
  shape: Shape;
}

/**
 * Parses and renders a Markdown source as one piece, after `references`, the definitions that it uses. Keeps only what
 * belongs to `shape`, such as the rows of a table without the table. `simpleSource` must have checked that the source is not
 * too long or nested.
 */
export const ParsedMarkdown = memo(function ParsedMarkdown({ source, references, shape }: ParsedMarkdownProps) {
  const isMixed = hasRightToLeft(source);
  const marked = useMemo(() => markFormulas(source), [source]);
  const text = references + marked.source;
  const parsed = useMemo(() => ({ text, formulas: marked.formulas }), [text, marked]);
  const { remarkPlugins, ...others } = isMixed ? withDirections(PLUGINS[shape]) : PLUGINS[shape];
  const hasFormulas = marked.formulas.length > 0;
  return (
    <SourceContext value={parsed}>
      <ReactMarkdown
        {...others}
        remarkPlugins={hasFormulas ? [...(remarkPlugins ?? []), [formulaNodes, marked.formulas]] : remarkPlugins}
        components={COMPONENTS}
        urlTransform={safeUrl}
      >
        {text}
      </ReactMarkdown>
    </SourceContext>
  );
});
