import { PreviewWindow } from '#components/preview/preview-window.tsx';

// Like the studio's own page, it has its own nonce.
export const dynamic = 'force-dynamic';

export default function Page() {
  return <PreviewWindow />;
}
