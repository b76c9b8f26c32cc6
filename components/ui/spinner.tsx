import { LoaderCircle } from 'lucide-react';

/** An animated icon for work in progress. The text next to it says what is going on. */
export function Spinner({ size = 14 }: { size?: number }) {
  return <LoaderCircle aria-hidden size={size} className="animate-spin motion-reduce:animate-none" />;
}
