import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import type { McpServer } from '#studio/sources/mcp/mcp-server.ts';
import type { McpServers } from '#studio/sources/mcp/mcp-servers.ts';

const NONE = createStore<readonly McpServer[]>(() => []);

/** The person's tool servers, and what they are changed with; undefined until the tools are loaded. */
export function useServers(): { servers: McpServers | undefined; list: readonly McpServer[] } {
  const { tools } = useStudio();
  const [servers, setServers] = useState(tools.servers);
  useEffect(() => {
    let isCurrent = true;
    void tools.load().then((loaded) => {
      if (isCurrent) setServers(loaded.servers);
    });
    return () => {
      isCurrent = false;
    };
  }, [tools]);
  return { servers, list: useStore(servers?.state ?? NONE) };
}
