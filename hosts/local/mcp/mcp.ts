import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { defined } from '#lib/base/defined.ts';
import { blocksOf, type ContentBlock } from '#lib/tools/core/content.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { ObjectSchema } from '#lib/tools/schema/json-schema.ts';
import { isBuiltInToolset, PROJECT } from '#lib/tools/toolset-names.ts';
import type { Arguments } from '../cli/arguments.ts';
import { EXIT, STOP_SIGNALS } from '../cli/exit-codes.ts';
import { REQUEST_MAX_BYTES } from '../limits.ts';
import { ToolService } from '../serve/tool-service.ts';

/**
 * Serves the tools as an MCP server on standard input and output, to clients of older and newer versions of the protocol,
 * until the input ends or a signal stops the program. Calls that still run are then stopped: nobody waits for them any more.
 * Resolves with the exit code.
 */
export async function mcp(given: Arguments, directory: string): Promise<number> {
  const { stdin, stdout, stderr } = process;
  const service = await ToolService.open(given, directory);
  const ended = Promise.withResolvers<number>();
  for (const name of STOP_SIGNALS) process.once(name, () => ended.resolve(EXIT.stopped));
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: REQUEST_MAX_BYTES });
  const handle = serveStdio(() => createServer(service), {
    transport,
    onerror: (error) => void stderr.write(`${error.message}\n`),
  });
  const { onclose } = transport;
  // It also closes when a message is too long, or when whoever reads is gone.
  transport.onclose = () => {
    onclose?.();
    ended.resolve(stdin.readableEnded ? EXIT.done : EXIT.failed);
  };
  const code = await ended.promise;
  await handle.close();
  await service.close();
  return code;
}

function createServer(service: ToolService): Server {
  const server = new Server({ name: 'roundtrip', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler('tools/list', async () => ({ tools: (await service.list()).map(describeTool) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    let progress = 0;
    const report = (progressToken: string | number) => () => {
      // The client that asked may be gone by now.
      const params = { progressToken, progress: ++progress };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    };
    const onProgress = token === undefined ? undefined : report(token);
    return describeResult(await service.call(params.name, params.arguments ?? {}, mcpReq.signal, onProgress));
  });
  // A client that is gone needs no tools.
  const unsubscribe = service.subscribe(() => void server.sendToolListChanged().catch(() => undefined));
  server.onclose = unsubscribe;
  return server;
}

/**
 * The JSON Schema draft of the output schemas. Without it, clients would assume a later draft, which describes tuples
 * differently.
 */
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';

/**
 * Returns a tool in the form in which MCP lists it. Its schemas are passed on as they are; the output schema also names its
 * draft.
 */
function describeTool({ name, description, inputSchema, outputSchema, effect, toolset, metadata }: Tool) {
  return {
    name,
    description,
    inputSchema: plain(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: { $schema: DRAFT_7, ...plain(outputSchema) } }),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect !== 'read',
      idempotentHint: effect === 'read',
      // The program's own tools, and those of the folder, reach nothing outside of the folder, except for the web.
      openWorldHint: !isBuiltInToolset(toolset) && toolset !== PROJECT,
    },
    ...defined({ _meta: metadata }),
  };
}

/** Returns a schema as plain JSON data. */
const plain = (schema: ObjectSchema) => JSON.parse(JSON.stringify(schema));

/**
 * Returns a result in the form of MCP. Throws `ProtocolError` if the tool does not exist, because MCP treats that as an invalid
 * request.
 */
function describeResult(result: ToolResult) {
  if (result.type === 'tool-error') {
    const { code, message } = result;
    if (code === 'no-such-tool') throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    return { content: [{ type: 'text' as const, text: message }], isError: true, _meta: { code } };
  }
  const { content, data } = result.output;
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return {
    content: blocksOf(content).map(toMcpBlock),
    ...(isObject && { structuredContent: data as Record<string, unknown> }),
  };
}

function toMcpBlock(block: ContentBlock) {
  switch (block.type) {
    case 'text':
      return { type: 'text' as const, text: block.text };
    case 'image':
      return { type: 'image' as const, data: block.data, mimeType: block.mediaType };
    case 'resource': {
      const { uri, name = uri, mediaType, description } = block;
      return {
        type: 'resource_link' as const,
        uri,
        name,
        ...defined({ mimeType: mediaType, description }),
      };
    }
    case 'json':
      return { type: 'text' as const, text: JSON.stringify(block.value) ?? '' };
  }
}
