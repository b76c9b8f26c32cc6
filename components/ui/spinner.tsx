import { LoaderCircle } from 'lucide-react';

/** A turning mark; what is waited for stands in words beside it. */
export function Spinner({ size = 14 }: { size?: number }) {
  return <LoaderCircle aria-hidden size={size} className="animate-spin motion-reduce:animate-none" />;
}
