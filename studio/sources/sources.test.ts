import { restApiSchema } from '#lib/sources/http-api/api.ts';
import { testMcpServer } from '#lib/sources/mcp/test/mcp-server.ts';
import { openApiPage } from './http-api/test/api-page.ts';
import { openServerPage } from './mcp/test/server-page.ts';
import { describeSources } from './test/source-contract.ts';

describeSources('tool servers', async (storage) => {
  let server = testMcpServer();
  const { servers, registry } = await openServerPage({ ...storage, fetch: (...request) => server.fetch(...request) });
  return {
    sources: servers,
    registry,
    async add(description) {
      server = testMcpServer(undefined, description);
      await servers.add({ name: 'test', url: 'https://tools.test/mcp' }, { 'X-Key': 'secret' });
      await servers.connect('test');
    },
    async change(description) {
      server = testMcpServer(undefined, description);
      await servers.changeHeaders('test', ['X-Key'], {});
    },
  };
});

const apiOf = (description: string) =>
  restApiSchema.parse({
    name: 'test',
    baseUrl: 'https://api.test',
    headers: { Authorization: 'Bearer {{token}}' },
    tools: [
      { name: 'add', description, method: 'GET', path: '/sum' },
      { name: 'fail', description: 'Fails.', method: 'DELETE', path: '/sum' },
    ],
  });

describeSources('HTTP APIs', async (storage) => {
  const { apis, registry } = await openApiPage(storage);
  return {
    sources: apis,
    registry,
    add: (description) => apis.add('', apiOf(description), { token: 'secret' }),
    change: (description) => apis.change('', apiOf(description), {}),
  };
});
