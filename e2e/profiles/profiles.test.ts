import 'fake-indexeddb/auto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import { SqliteSaver } from '#server/graph/checkpointer/sqlite-saver.ts';
import { readThread } from '#server/graph/graph.ts';
import { type BrowserData, writeBrowserData } from './browser-data.ts';
import { readStudio, readWorkspace } from './stored.ts';

const FOLDER = import.meta.dirname;
const profiles = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** The server uses one run for all steps of a turn; which run wrote a step matters only to the browser. */
const withoutRuns = (message: Message | undefined) => ({
  id: message?.id,
  parts: message?.parts.map((part) => ({ ...part, runId: undefined })),
});

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

describe.each(profiles.map(({ name }) => name))('data stored by version %s of the studio', (name) => {
  const read = (file: string) => JSON.parse(readFileSync(join(FOLDER, name, file), 'utf8'));
  const expected = read('expected.json');
  const open = async (file: string) => {
    const data: BrowserData = read(file);
    await writeBrowserData({ ...data, localStorage: [] });
    return data.databases.map((database) => database.name);
  };

  test('threads, messages, the ledger and settings are unchanged', async () => {
    await open('browser.json');
    const { threads, settings, ...rest } = await readStudio();
    expect(rest).toEqual({ messages: expected.studio.messages, calls: expected.studio.calls });
    // Later versions may have additional settings.
    expect(threads).toMatchObject(expected.studio.threads);
    expect(settings).toMatchObject(expected.studio.settings);
  });

  test.each(['browser.json', 'log.json'])('the workspaces of %s are unchanged, at every point', async (file) => {
    const names = (await open(file)).filter((database) => database !== 'roundtrip-studio');
    expect(names).not.toHaveLength(0);
    for (const database of names)
      expect(await readWorkspace(database), database).toEqual(expected.workspaces[database]);
  });

  describe('the checkpoints', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'profile-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    test('have the revisions that the browser builds on, with the same messages', async () => {
      await copyFile(join(FOLDER, name, 'checkpoints.db'), join(folder, 'checkpoints.db'));
      const saver = SqliteSaver.open(join(folder, 'checkpoints.db'));
      await open('browser.json');
      const { threads, messages } = await readStudio();
      let compared = 0;
      for (const { id, headId } of threads) {
        const turn = messages[id]?.find(({ message }) => message.id === headId)?.message as AssistantMessage;
        if (turn.revision === undefined) continue;
        const state = await readThread(saver, id);
        expect(state?.revision).toBe(turn.revision);
        expect(withoutRuns(state?.messages.at(-1))).toMatchObject(withoutRuns(turn));
        compared++;
      }
      expect(compared).toBeGreaterThan(2);
      await saver.close();
    });
  });
});
