import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';

/** Opens and closes the services with these variables, and returns the names of the packages that were loaded meanwhile. */
async function packagesLoadedWith(variables: Readonly<Record<string, string>>): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        if (/^[@a-z]/.test(specifier) && !specifier.includes(':')) loaded.add(specifier);
        return next(specifier, context);
      },
    });
    const { openServices } = await import('#server/services.ts');
    const services = await openServices(JSON.parse(process.argv[1]));
    await services.close();
    console.log(JSON.stringify([...loaded]));
    process.exit(0);
  `;
  const environment = { DATABASE_URL: 'memory:', DISCOVER_LOCAL: 'false', LOG_LEVEL: 'silent', ...variables };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script, JSON.stringify(environment)],
    { cwd: ROOT },
  );
  return JSON.parse(stdout) as string[];
}

test('a studio of one process loads no code for several, for metrics, or for traces', async () => {
  const loaded = await packagesLoadedWith({});
  expect(loaded).toContain('zod');
  expect(loaded.filter((name) => /^(?:@redis\/|prom-client|@opentelemetry\/(?!api))/.test(name))).toEqual([]);
});

test('code for traces is loaded where they have a place to go', async () => {
  const loaded = await packagesLoadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  expect(loaded).toContain('@opentelemetry/sdk-trace');
});
