import * as z from 'zod';
import { initialValues } from '#lib/tools/core/call-form.ts';
import { type OpenedSession, openHttpSession } from '../http-session.ts';
import { McpError } from '../mcp-error.ts';
import type { McpOutcome } from '../result.ts';
import { ConformanceLogin } from './conformance-login.ts';

// The client that MCP's conformance tests run, with the address of their server. It uses everything that the server
// offers, fills in forms with their initial values, and logs in where it has to, like a person who clicks on “Log in…”.
// `MCP_CONFORMANCE_CONTEXT`: the data that a test passes to its client.

const address = process.argv.at(-1) ?? '';

const contextSchema = z.object({
  /** Calls that the test asks for, in addition to or in place of one call of each tool. */
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).default([]),
  /** The client that an authorization server knows already. */
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});
const context = contextSchema.parse(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'));
const signal = AbortSignal.timeout(25_000);

const login = new ConformanceLogin(address, context);
const options = { asksForms: true, onChange: () => undefined, onClose: () => undefined };
/** Connects, and logs in as often as a person would. */
async function open(): Promise<OpenedSession> {
  try {
    return await openHttpSession({ url: address, headers: {} }, [{ name: 'direct', fetch }], options, login.tokens);
  } catch (error) {
    if (!(error instanceof McpError) || !login.isWanted(error.problem)) throw error;
    await login.logIn(error.problem);
    return open();
  }
}

let opened = await open();

const call = (name: string, args: Record<string, unknown>): Promise<McpOutcome> =>
  opened.session.call(name, args, {
    signal,
    onForm: async (form) => ({ action: 'accept', content: initialValues(form) }),
  });

/** Arguments that fit a tool of the tests. */
function argumentsOf(name: string): Record<string, unknown> {
  if (name === 'add_numbers') return { a: 2, b: 3 };
  // It wants to see another tool's schema as it has arrived.
  const other = opened.listing.tools.find((tool) => tool.name === 'json_schema_2020_12_tool');
  return name === 'json_schema_echo' ? { schema: other?.inputSchema } : {};
}

/** Offered by a test whose server answers no calls. */
const NEVER_CALLED = 'lookup_user';

const listed = opened.listing.tools
  .filter(({ name }) => name !== NEVER_CALLED && !context.toolCalls.some((one) => one.name === name))
  .map(({ name }) => ({ name, arguments: argumentsOf(name) }));
for (const { name, arguments: args } of [...listed, ...context.toolCalls]) {
  let outcome = await call(name, args);
  if (outcome.type === 'failure' && outcome.problem !== undefined && login.isWanted(outcome.problem)) {
    await opened.session.close();
    await login.logIn(outcome.problem);
    opened = await open();
    outcome = await call(name, args);
  }
  process.stdout.write(`${name} ${JSON.stringify(outcome)}\n`);
  if (outcome.type === 'failure') process.exitCode = 1;
}
for (const { uri } of opened.listing.resources) await opened.session.readResource(uri, signal);
for (const { name } of opened.listing.prompts) await opened.session.getPrompt(name, {}, signal);
await opened.session.close();
