import { useEffect, useState } from 'react';

/** The interval at which the time is read, in milliseconds. */
const EVERY_MS = 60_000;

/** Returns the time in milliseconds since the epoch, as it was read last. It is read again every minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
