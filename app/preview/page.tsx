import { PreviewWindow } from '#components/preview/preview-window.tsx';

// As the studio's own page: with a nonce of its own.
export const dynamic = 'force-dynamic';

export default function Page() {
  return <PreviewWindow />;
}
