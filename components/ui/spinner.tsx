import { LoaderCircle } from 'lucide-react';

/** A spinner. The text next to it says what is loading. */
export function Spinner({ size = 14 }: { size?: number }) {
  return <LoaderCircle aria-hidden size={size} className="animate-spin motion-reduce:animate-none" />;
}
