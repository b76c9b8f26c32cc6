import { initialValues } from '#lib/tools/core/call-form.ts';
import { openHttpSession } from '../http-session.ts';

// What MCP's conformance tests run as the client, with the address of their server: it uses all that the server offers, and
// fills in forms with what is there at first. `MCP_CONFORMANCE_SCENARIO`: the name of the test.

const url = process.argv.at(-1);
if (url === undefined) throw new Error('Run this with the address of a server.');

/** Arguments that fit a tool of the tests. */
const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = { add_numbers: { a: 2, b: 3 } };

const options = { asksForms: true, onChange: () => undefined, onClose: () => undefined };
const { session, listing } = await openHttpSession({ url, headers: {} }, [{ name: 'direct', fetch }], options);
for (const { name } of listing.tools) {
  const outcome = await session.call(name, ARGUMENTS[name] ?? {}, {
    signal: AbortSignal.timeout(20_000),
    onForm: async (form) => ({ action: 'accept', content: initialValues(form) }),
  });
  process.stdout.write(`${name} ${JSON.stringify(outcome)}\n`);
  if (outcome.type === 'failure') process.exitCode = 1;
}
await session.close();
