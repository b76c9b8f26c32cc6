import { Component, type ReactNode } from 'react';

interface Props {
  /** The block's source. After a failure, the block is rendered again only once this changes. */
  source: string;
  /** The content that is shown if the block cannot be rendered. */
  fallback: ReactNode;
  children: ReactNode;
}

/**
 * An error boundary around a block of Markdown. If the block cannot be rendered, shows `fallback` in its place until
 * `source` changes, and leaves the rest of the answer as it is.
 */
export class BlockBoundary extends Component<Props, { failed: string | undefined }> {
  override state: { failed: string | undefined } = { failed: undefined };

  static getDerivedStateFromProps({ source }: Props, { failed }: { failed: string | undefined }) {
    return failed === undefined || failed === '' || failed === source ? null : { failed: undefined };
  }

  static getDerivedStateFromError(): { failed: string } {
    return { failed: '' };
  }

  /** Remembers the source that failed. React itself has reported the error. */
  override componentDidCatch(): void {
    this.setState({ failed: this.props.source });
  }

  override render(): ReactNode {
    return this.state.failed === undefined ? this.props.children : this.props.fallback;
  }
}
