import { describe, expect, test } from 'vitest';
import { frameHosts, frameSources, isFrameHost } from './hosts.ts';

describe('the host of a frame', () => {
  test('on this machine: the session’s own host, then the machine’s other name, then the page’s host', () => {
    expect(frameHosts('http://localhost:3000', undefined, 's1')).toEqual([
      { kind: 'own', origin: 'http://s1.localhost:3000' },
      { kind: 'swapped', origin: 'http://127.0.0.1:3000' },
      { kind: 'same', origin: 'http://localhost:3000' },
    ]);
    expect(frameHosts('http://127.0.0.1', undefined, 's1').map(({ origin }) => origin)).toEqual([
      'http://s1.localhost',
      'http://localhost',
      'http://127.0.0.1',
    ]);
  });

  test('elsewhere: never below localhost, which would be the visitor’s own machine', () => {
    expect(frameHosts('https://studio.example', undefined, 's1')).toEqual([
      { kind: 'same', origin: 'https://studio.example' },
    ]);
    expect(frameHosts('https://studio.example', 'https://*.frames.example', 's1')[0]).toEqual({
      kind: 'own',
      origin: 'https://s1.frames.example',
    });
  });

  test('the page allows frames only at the frames’ paths on these hosts', () => {
    expect(frameSources('http://localhost:3000', undefined)).toEqual([
      'http://*.localhost:3000/sandbox/frame',
      'http://*.localhost:3000/sandbox/preview',
      'http://*.localhost:3000/sandbox/diagrams',
      'http://127.0.0.1:3000/sandbox/frame',
      'http://127.0.0.1:3000/sandbox/preview',
      'http://127.0.0.1:3000/sandbox/diagrams',
      'http://localhost:3000/sandbox/frame',
      'http://localhost:3000/sandbox/preview',
      'http://localhost:3000/sandbox/diagrams',
    ]);
    expect(frameSources('https://studio.example', 'https://*.frames.example')).toEqual([
      'https://*.frames.example/sandbox/frame',
      'https://*.frames.example/sandbox/preview',
      'https://*.frames.example/sandbox/diagrams',
      'https://studio.example/sandbox/frame',
      'https://studio.example/sandbox/preview',
      'https://studio.example/sandbox/diagrams',
    ]);
  });

  test('a frame host is recognized by its name', () => {
    expect(isFrameHost('s1.localhost:3000', undefined)).toBe(true);
    expect(isFrameHost('LOCALHOST:3000', undefined)).toBe(false);
    expect(isFrameHost('s1.frames.example', 'https://*.frames.example')).toBe(true);
    expect(isFrameHost('frames.example', 'https://*.frames.example')).toBe(false);
    expect(isFrameHost('s1.frames.example', undefined)).toBe(false);
  });
});
