'use client';

import { useEffect, useState } from 'react';
import { useConnections, useStudio } from '#components/hooks/studio-provider.tsx';
import { ServerProblem } from '#lib/threads/transport.ts';
import type { Connection } from '#studio/connections/connection.ts';

/** Checks whether a connection needs a key and has none, as after restoring a backup or deleting all keys. */
export function useLacksKey(connection: Connection): boolean {
  const { connections } = useStudio();
  const protection = useConnections((state) => state.protection);
  const [lacksKey, setLacksKey] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: deleting the keys also changes how they are protected
  useEffect(() => {
    let isShown = true;
    connections.keyOf(connection).then(
      () => isShown && setLacksKey(false),
      (error: unknown) => isShown && setLacksKey(error instanceof ServerProblem && error.code === 'key-needed'),
    );
    return () => {
      isShown = false;
    };
  }, [connections, connection, protection]);
  return lacksKey;
}
