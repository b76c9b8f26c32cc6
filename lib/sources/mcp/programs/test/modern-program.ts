// A tool server that is a program, and speaks both versions of the protocol.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'modern', version: '1' });
  server.registerTool(
    'echo',
    { description: 'Says it again.', inputSchema: z.object({ text: z.string() }) },
    (input) => ({
      content: [{ type: 'text', text: input.text }],
    }),
  );
  server.registerTool('grow', { description: 'Adds a tool.', inputSchema: z.object({}) }, () => {
    server.registerTool('grown', { description: 'Is new.', inputSchema: z.object({}) }, () => ({ content: [] }));
    return { content: [{ type: 'text', text: 'grown' }] };
  });
  return server;
});
