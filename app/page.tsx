import { ClientStudio } from '#components/layout/client-studio.tsx';

// Each page has its own nonce in its content security policy, so none is prerendered.
export const dynamic = 'force-dynamic';

export default function Page() {
  return <ClientStudio />;
}
