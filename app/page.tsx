import { StudioRoot } from '#components/layout/studio-root.tsx';

// Each page has a nonce of its own in its content security policy, so none is rendered ahead.
export const dynamic = 'force-dynamic';

export default function Page() {
  return <StudioRoot />;
}
