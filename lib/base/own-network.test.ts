import { expect, test } from 'vitest';
import { saysOwnNetwork } from './own-network.ts';

test.each([
  ...['http://localhost:3000', 'http://127.1', 'https://10.2.3.4', 'https://192.168.0.1:8443', 'https://172.16.9.9'],
  ...['https://100.64.1.1', 'http://[::1]:8080', 'https://[fd12::1]', 'http://router', 'https://nas.local', 'http://0'],
  ...['https://wiki.internal', 'https://NAS.LAN', 'https://a.localhost', 'https://printer.home.arpa.'],
])('%s says that it is on the person’s network', (url) => {
  expect(saysOwnNetwork(new URL(url).host)).toBe(true);
});

test.each([
  ...['https://example.org', 'https://172.32.0.1', 'https://100.128.0.1', 'https://11.0.0.1', 'https://local.example'],
  ...[
    'https://localhost.example',
    'https://127.0.0.1.nip.io',
    'https://internal.example.com:8443',
    'https://[2606::1]',
  ],
])('%s does not', (url) => {
  expect(saysOwnNetwork(new URL(url).host)).toBe(false);
});
