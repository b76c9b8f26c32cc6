import { StudioRoot } from '#components/layout/studio-root.tsx';

export default function Page() {
  return <StudioRoot />;
}
