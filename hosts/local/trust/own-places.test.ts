import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isInFolder, ownPinsFile, ownServersFile } from './own-places.ts';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'own-places-')));
  mkdirSync(join(place, 'work'));
});
afterEach(() => rmSync(place, { recursive: true }));

test('the person’s files are where the system has them; a variable that is relative to the folder does not count', () => {
  expect(ownServersFile({ HOME: '/own' })).toBe('/own/.config/roundtrip/mcp.yaml');
  expect(ownServersFile({ HOME: '/own', XDG_CONFIG_HOME: '/etc/own' })).toBe('/etc/own/roundtrip/mcp.yaml');
  expect(ownServersFile({ HOME: '/own', XDG_CONFIG_HOME: 'config' })).toBe('/own/.config/roundtrip/mcp.yaml');
  expect(ownPinsFile({ HOME: '/own' })).toBe('/own/.local/state/roundtrip/allowed-tools.json');
});

test('a file counts as in the folder wherever links lead, and before it is there', () => {
  const work = join(place, 'work');
  symlinkSync(work, join(place, 'link'));
  expect(isInFolder(work, join(work, 'a/b/mcp.yaml'))).toBe(true);
  expect(isInFolder(work, join(place, 'link/mcp.yaml'))).toBe(true);
  expect(isInFolder(work, join(place, 'work-2/mcp.yaml'))).toBe(false);
  expect(isInFolder(work, join(place, 'mcp.yaml'))).toBe(false);
  expect(isInFolder('/', join(place, 'mcp.yaml'))).toBe(true);
});
