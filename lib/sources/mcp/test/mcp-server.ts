import { createMcpHandler, type McpHttpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** A tool server in this process. */
export interface TestMcpServer {
  /** Answers requests to it. */
  fetch: typeof fetch;
  /** The calls that it has run, by tool. */
  calls: string[];
  handler: McpHttpHandler;
}

/** A server with a few well-behaved tools. `setUp` adds others; `description`: what it says about one of them. */
export function testMcpServer(
  setUp: (server: McpServer) => void = () => undefined,
  description = 'Adds two numbers.',
): TestMcpServer {
  const calls: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'test-server', title: 'Test server', version: '1' });
    server.registerTool(
      'add',
      {
        title: 'Add',
        description,
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        outputSchema: z.object({ sum: z.number() }),
        annotations: { readOnlyHint: true },
      },
      ({ a, b }) => {
        calls.push('add');
        const sum = a + b;
        return { content: [{ type: 'text', text: `The sum is ${sum}.` }], structuredContent: { sum } };
      },
    );
    server.registerTool(
      'fail',
      { description: 'Fails.', annotations: { destructiveHint: true }, inputSchema: z.object({}) },
      () => {
        calls.push('fail');
        return { isError: true, content: [{ type: 'text', text: 'There is no more.' }] };
      },
    );
    setUp(server);
    return server;
  });
  return { fetch: (input, init) => handler.fetch(new Request(input, init)), calls, handler };
}
