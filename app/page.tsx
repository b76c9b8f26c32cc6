import { StudioPage } from '#components/layout/studio-page.tsx';

// Each page has its own nonce in its content security policy, so none is prerendered.
export const dynamic = 'force-dynamic';

export default function Page() {
  return <StudioPage />;
}
