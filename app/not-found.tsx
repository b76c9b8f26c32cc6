import { NotFound } from '#components/layout/not-found.tsx';

export default function Page() {
  return <NotFound />;
}
