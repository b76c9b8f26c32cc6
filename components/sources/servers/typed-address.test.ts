import { expect, test } from 'vitest';
import { typedAddress } from './typed-address.ts';

test.each([
  ['', ''],
  ['https://a.test/mcp', 'https://a.test/mcp'],
  ['http://a.test', 'http://a.test'],
  [' a.test/mcp ', 'https://a.test/mcp'],
  ['localhost', 'http://localhost'],
  ['LocalHost:3000/mcp', 'http://LocalHost:3000/mcp'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['localhost.example.com', 'https://localhost.example.com'],
  ['127.example.com', 'https://127.example.com'],
])('%j is the address %j', (typed, address) => expect(typedAddress(typed)).toBe(address));
