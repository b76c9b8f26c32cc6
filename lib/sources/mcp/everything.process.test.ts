import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallForm, FormAnswer } from '#lib/tools/core/call-form.ts';
import { initialValues } from '#lib/tools/core/call-form.ts';
import { openHttpSession } from './http-session.ts';
import type { McpListing } from './server-lists.ts';
import type { McpSession } from './session.ts';
import { EverythingServer } from './test/everything-server.ts';

let server: EverythingServer;
let session: McpSession;
let listing: McpListing;

const signal = new AbortController().signal;

beforeAll(async () => {
  server = await EverythingServer.start();
  const options = { asksForms: true, onChange: () => undefined, onClose: () => undefined };
  ({ session, listing } = await openHttpSession(
    { url: server.url, headers: {} },
    [{ name: 'direct', fetch }],
    options,
  ));
});

afterAll(async () => {
  await session?.close();
  await server?.stop();
});

describe('the reference server with an example of everything', () => {
  test('is listed as a whole', () => {
    expect(listing).toMatchObject({ title: 'Everything Reference Server', era: 'legacy', refused: [] });
    expect(listing.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'trigger-long-running-operation', 'trigger-elicitation-request']),
    );
    // It offers these only to clients that it may ask for models and folders.
    expect(listing.tools.map(({ name }) => name)).not.toContain('trigger-sampling-request');
    expect(listing.tools.map(({ name }) => name)).not.toContain('get-roots-list');
    expect(listing.prompts.map(({ name }) => name)).toContain('args-prompt');
    expect(listing.resources.length).toBeGreaterThan(3);
  });

  test.each<[string, object, object]>([
    ['echo', { message: 'Hello' }, { content: [{ type: 'text', text: 'Echo: Hello' }] }],
    ['get-sum', { a: 1, b: 2 }, { content: [{ type: 'text', text: 'The sum of 1 and 2 is 3.' }] }],
    ['get-structured-content', { location: 'Chicago' }, { data: { conditions: expect.any(String) } }],
    [
      'get-tiny-image',
      {},
      {
        content: expect.arrayContaining([{ type: 'image', mediaType: 'image/png', data: expect.any(String) }]),
      },
    ],
    [
      'get-resource-links',
      { count: 1 },
      { content: expect.arrayContaining([expect.objectContaining({ type: 'resource', uri: expect.any(String) })]) },
    ],
    [
      'get-resource-reference',
      { resourceType: 'Text', resourceId: 1 },
      { content: expect.arrayContaining([expect.objectContaining({ type: 'resource', uri: expect.any(String) })]) },
    ],
    [
      'get-annotated-message',
      { messageType: 'error', includeImage: true },
      {
        content: [
          { type: 'text', text: 'Error: Operation failed' },
          expect.objectContaining({ type: 'image', mediaType: 'image/png' }),
        ],
      },
    ],
  ])('answers a call of %s', async (name, args, outcome) => {
    expect(await session.call(name, args as Record<string, unknown>, { signal })).toMatchObject({
      type: 'output',
      ...outcome,
    });
  });

  test('says how far a long call is', async () => {
    const seen: unknown[] = [];
    const outcome = await session.call(
      'trigger-long-running-operation',
      { duration: 0.3, steps: 3 },
      { signal, onProgress: (progress) => void seen.push(progress) },
    );
    expect(outcome.type).toBe('output');
    expect(seen).toEqual([1, 2, 3].map((done) => expect.objectContaining({ done, of: 3 })));
  });

  test('ends a long call when it is stopped', async () => {
    const controller = new AbortController();
    const outcome = await session.call(
      'trigger-long-running-operation',
      { duration: 600, steps: 1_200 },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    expect(outcome).toMatchObject({ type: 'failure', code: 'aborted' });
  });

  test('asks the person by a form, and is told what they say', async () => {
    const forms: Omit<CallForm, 'from'>[] = [];
    const answerTo = (answer: (form: Omit<CallForm, 'from'>) => FormAnswer) => async (form: Omit<CallForm, 'from'>) => {
      forms.push(form);
      return answer(form);
    };
    const call = (answer: (form: Omit<CallForm, 'from'>) => FormAnswer) =>
      session.call('trigger-elicitation-request', {}, { signal, onForm: answerTo(answer) });
    const accepted = await call((form) => ({ action: 'accept', content: { ...initialValues(form), name: 'Ada' } }));
    expect(JSON.stringify(accepted)).toContain('Name: Ada');
    expect(JSON.stringify(accepted)).toContain('It was a dark and stormy night.');
    expect(JSON.stringify(await call(() => ({ action: 'decline' })))).toContain('declined');
    expect(JSON.stringify(await call(() => ({ action: 'cancel' })))).toContain('cancelled');
    expect(forms[0]?.fields.map(({ kind }) => kind.type)).toEqual(
      expect.arrayContaining(['text', 'boolean', 'number', 'choice', 'choices']),
    );
    expect(forms[0]?.fields.find(({ name }) => name === 'name')?.isRequired).toBe(true);
  });

  test('gives its resources and prompts', async () => {
    const [resource] = listing.resources;
    expect((await session.readResource(resource?.uri ?? '', signal)).files).toMatchObject([
      { type: 'text', name: resource?.uri, mediaType: 'text/markdown' },
    ]);
    expect(await session.getPrompt('args-prompt', { city: 'Lima', state: 'LI' }, signal)).toEqual({
      text: "What's weather in Lima, LI?",
      files: [],
      left: [],
    });
    expect(
      (await session.getPrompt('resource-prompt', { resourceType: 'Text', resourceId: '1' }, signal)).files,
    ).toHaveLength(1);
    await expect(session.readResource('demo://nothing', signal)).rejects.toMatchObject({
      problem: { detail: expect.stringContaining('not found') },
    });
  });

  test('fills in its resource templates', async () => {
    expect(listing.templates).toContainEqual({
      uriTemplate: 'demo://resource/dynamic/text/{resourceId}',
      name: 'Dynamic Text Resource',
      description: expect.any(String),
      arguments: [{ name: 'resourceId', description: '', isRequired: true }],
    });
    const [template] = listing.templates;
    const read = (resourceId: string) => session.readTemplate(template?.uriTemplate ?? '', { resourceId }, signal);
    expect(await read('7')).toMatchObject({
      files: [{ name: 'demo://resource/dynamic/text/7', text: expect.stringContaining('Resource 7') }],
    });
    await expect(read('seven')).rejects.toMatchObject({
      problem: { detail: expect.stringContaining('Unknown resource') },
    });
  });

  test('suggests values for arguments of prompts and templates, with regard to the others', async () => {
    expect(listing.completes).toBe(true);
    const suggest = (name: string, value: string, known: Record<string, string> = {}) =>
      session.complete({ of: { prompt: 'completable-prompt' }, argument: { name, value }, known }, signal);
    expect(await suggest('department', '')).toEqual(['Engineering', 'Sales', 'Marketing', 'Support']);
    expect(await suggest('department', 'S')).toEqual(['Sales', 'Support']);
    expect(await suggest('name', '', { department: 'Sales' })).toEqual(['David', 'Eve', 'Frank']);
    expect(await suggest('name', '')).toEqual([]);
    const of = { uriTemplate: listing.templates[0]?.uriTemplate ?? '' };
    expect(await session.complete({ of, argument: { name: 'resourceId', value: '12' }, known: {} }, signal)).toEqual([
      '12',
    ]);
  });
});
