import { type ComponentProps, useContext } from 'react';
import type { ExtraProps } from 'react-markdown';
import { BlockNameContext } from './use-shown.ts';

interface HeadingProps extends ComponentProps<'h1'>, ExtraProps {
  as: 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6';
}

/** A heading, to which the outline of its text can lead. */
export function Heading({ as: Element, node: _, ...props }: HeadingProps) {
  const block = useContext(BlockNameContext);
  return <Element {...props} tabIndex={-1} data-block={block} />;
}
