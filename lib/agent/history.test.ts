import { describe, expect, test } from 'vitest';
import type { AssistantMessage, AssistantPart, Message, ToolCallPart } from '#lib/messages/message.ts';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import { cutResults, type HistoryUnit, toUnits, trimUnits } from './history.ts';
import { answeredCall, emptyTurn, finishedStep, userMessage } from './test/messages.ts';

const assistant = (...parts: AssistantPart[]): AssistantMessage => ({
  ...emptyTurn(),
  status: { type: 'done' },
  parts,
});
const say = (text: string): AssistantPart => ({ type: 'text', text });
const step = finishedStep('local');

/** The remaining branch: for each unit its first text or its calls. */
function left(units: readonly HistoryUnit[]): string[] {
  return units.map((unit) => {
    const parts: readonly { type: string; text?: string; toolCallId?: string }[] =
      unit.role === 'user' ? unit.message.parts : unit.parts;
    return parts.map(({ text, toolCallId }) => toolCallId ?? text).join('+');
  });
}

const trim = (messages: readonly Message[], budget: number) => trimUnits(toUnits(messages), budget);
/** About a hundred tokens. */
const filler = (name: string): string => `${name}${'x'.repeat(350 - name.length)}`;

describe('units', () => {
  test('[R16] a step is one unit with its calls and their results', () => {
    const units = toUnits([
      userMessage('u'),
      assistant(step, say('a'), answeredCall('c1', 'r1'), answeredCall('c2', 'r2'), step, say('b')),
    ]);
    expect(left(units)).toEqual(['u', 'a+c1+c2', 'b']);
  });

  test('[R15] a step that never finished is not part of the history', () => {
    const unfinished = finishedStep('local', { finishReason: undefined });
    expect(left(toUnits([userMessage('u'), assistant(step, say('a'), unfinished, say('half'))]))).toEqual(['u', 'a']);
  });

  test('[R10] what arrived before Stop is part of the model’s next prompt', () => {
    const unfinished = finishedStep('local', { finishReason: undefined });
    const stopped: Message = { ...assistant(unfinished, say('half')), status: { type: 'stopped' } };
    expect(left(toUnits([userMessage('u'), stopped]))).toEqual(['u', 'half']);
  });

  test('a turn without steps, as in an import, is one unit', () => {
    expect(left(toUnits([userMessage('u'), assistant(say('a'), answeredCall('c', 'r'))]))).toEqual(['u', 'a+c']);
  });

  test('steps without content leave nothing', () => {
    expect(left(toUnits([userMessage('u'), assistant(step, step, say('a'))]))).toEqual(['u', 'a']);
  });

  test('only what follows the newest question is the current turn', () => {
    const units = toUnits([userMessage('u1'), assistant(step, say('a')), userMessage('u2'), assistant(step, say('b'))]);
    expect(units.map((unit) => unit.role === 'assistant' && unit.currentTurn)).toEqual([false, false, false, true]);
  });
});

describe('[R16] trimming', () => {
  const branch: Message[] = [
    userMessage(filler('u1')),
    assistant(step, say(filler('a1')), step, say(filler('a2'))),
    userMessage(filler('u2')),
    assistant(step, say(filler('a3'))),
    userMessage(filler('u3')),
    assistant(step, say(filler('b1')), step, say(filler('b2')), step, say(filler('b3'))),
  ];
  const names = (units: readonly HistoryUnit[]) => left(units).map((text) => text.slice(0, 2));

  test('history that fits is unchanged', () => {
    expect(trim(branch, 10_000)).toMatchObject({ units: toUnits(branch), dropped: 0 });
  });

  test('the oldest question is dropped first, together with its answers', () => {
    const { units, dropped } = trim(branch, 900);
    expect(names(units)).toEqual(['u2', 'a3', 'u3', 'b1', 'b2', 'b3']);
    expect(dropped).toBe(3);
  });

  test('the current turn is dropped last, oldest step first, but never its newest step', () => {
    expect(names(trim(branch, 500).units)).toEqual(['u3', 'b1', 'b2', 'b3']);
    expect(names(trim(branch, 350).units)).toEqual(['u3', 'b2', 'b3']);
    expect(names(trim(branch, 1).units)).toEqual(['u3', 'b3']);
  });

  test('the newest question is never dropped, however large it is', () => {
    const large = userMessage('x'.repeat(100_000));
    expect(trim([userMessage('old'), assistant(step, say('a')), large], 10).units).toMatchObject([
      { role: 'user', message: large },
    ]);
    expect(trim([large], -1).units).toHaveLength(1);
  });

  test('at every budget, the rest begins with a question and every call has its result', () => {
    const answers = ['c1', 'c2', 'c3'].map((id) => answeredCall(id, filler(id)));
    const messages: Message[] = [
      assistant(step, say(filler('no question before'))),
      userMessage(filler('u1')),
      assistant(step, ...answers, step, say(filler('a1'))),
      userMessage('unanswered'),
      userMessage(filler('u2')),
      assistant(step, ...answers, step, ...answers),
    ];
    const all = toUnits(messages);
    for (let budget = 0; budget < 2_000; budget += 10) {
      const { units, dropped, tokens, droppedTokens } = trimUnits(all, budget);
      expect(tokens + droppedTokens).toBe(trimUnits(all, Number.POSITIVE_INFINITY).tokens);
      expect(droppedTokens > 0).toBe(dropped > 0);
      expect(trimUnits(units, tokens).dropped).toBe(0);
      expect(units.length + dropped).toBe(all.length);
      if (dropped > 0) expect(units[0]?.role).toBe('user');
      // Kept units are the original units: a call is never separated from its result.
      expect(units.every((unit) => all.includes(unit))).toBe(true);
    }
  });

  test('in strides, the same units stay dropped while the history grows', () => {
    const starts: string[] = [];
    const messages: Message[] = [];
    for (let turn = 0; turn < 60; turn++) {
      messages.push(userMessage(filler(`u${turn}`)));
      const { units, tokens } = trimUnits(toUnits(messages), 2_000, 500);
      expect(tokens).toBeLessThanOrEqual(2_000);
      expect(tokens).toBeGreaterThan(turn < 12 ? 0 : 2_000 - 500 - 2 * 150);
      starts.push((left(units)[0] ?? '').slice(0, 3));
      messages.push(assistant(step, say(filler(`a${turn}`))));
    }
    // 60 turns of about 210 tokens are 25 strides, and each of them changes the beginning once.
    const changes = starts.filter((start, index) => index > 0 && start !== starts[index - 1]).length;
    expect(changes).toBeLessThanOrEqual(25);
    expect(changes).toBe(new Set(starts).size - 1);
  });

  test('in strides, the newest question and step stay', () => {
    expect(names(trimUnits(toUnits(branch), 300, 1_000).units)).toEqual(['u3', 'b3']);
  });

  test('reasoning of earlier turns, which is not sent, does not count', () => {
    const thought: AssistantPart = { type: 'reasoning', text: 'x'.repeat(35_000) };
    const earlier = [userMessage('u1'), assistant(step, thought, say('a')), userMessage('u2')];
    expect(trim(earlier, 100).dropped).toBe(0);
    const current = [userMessage('u1'), assistant(step, thought, say('a'), step, say('b'))];
    expect(trim(current, 100).dropped).toBe(1);
  });

  test('arguments, results and attachments count', () => {
    const withImage: Message = {
      ...userMessage('u1'),
      parts: [{ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' }],
    };
    const withText: Message = {
      ...userMessage('u1'),
      parts: [{ type: 'file', mediaType: 'text/plain', url: `data:text/plain;base64,${'A'.repeat(3_000)}` }],
    };
    const withResult = assistant(step, answeredCall('c', 'x'.repeat(3_500)));
    for (const first of [[withImage], [withText], [userMessage('u1'), withResult]]) {
      expect(trim([...first, userMessage('u2')], 400).dropped).toBe(first.length);
      expect(trim([...first, userMessage('u2')], 2_000).dropped).toBe(0);
    }
  });
});

describe('[R8] long results', () => {
  const contentOf = (units: readonly HistoryUnit[], id: string): string => {
    const parts = units.flatMap((unit) => (unit.role === 'assistant' ? unit.parts : []));
    const part = parts.find((candidate) => candidate.type === 'tool-call' && candidate.toolCallId === id);
    return part?.type === 'tool-call' && part.result?.type === 'tool-result' ? resultContent(part.result) : '';
  };

  test('a result over its share is cut, and both the model and the user are told', () => {
    const units = toUnits([
      userMessage('u'),
      assistant(step, answeredCall('short', 'ok'), answeredCall('long', 'x'.repeat(7_000), 'read_file')),
    ]);
    const cut = cutResults(units, 1_000);
    expect(contentOf(cut.units, 'short')).toBe('ok');
    expect(contentOf(cut.units, 'long')).toBe(
      `${'x'.repeat(3_500)}\n[This result was cut: the first 3500 of its 7000 characters are shown.]`,
    );
    expect(cut.notices).toEqual([{ code: 'result-cut', toolName: 'read_file', kept: 3_500, total: 7_000 }]);
  });

  test('a long error is cut like any result', () => {
    const failed: ToolCallPart = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'write_file',
      inputState: 'complete',
      input: {},
      result: {
        type: 'tool-error',
        toolCallId: 'c',
        toolName: 'write_file',
        code: 'failed',
        message: 'x'.repeat(7_000),
      },
    };
    const cut = cutResults(toUnits([userMessage('u'), assistant(step, failed)]), 1_000);
    expect(JSON.stringify(cut.units)).toContain(
      '[This result was cut: the first 3500 of its 7000 characters are shown.]',
    );
    expect(cut.notices).toEqual([{ code: 'result-cut', toolName: 'write_file', kept: 3_500, total: 7_000 }]);
  });

  test('cuts in earlier steps are not reported again', () => {
    const long = answeredCall('long', 'x'.repeat(7_000));
    const messages = [userMessage('u'), assistant(step, long, step, answeredCall('short', 'ok'))];
    expect(cutResults(toUnits(messages), 1_000).notices).toEqual([]);
    expect(cutResults(toUnits([...messages, userMessage('next')]), 1_000).notices).toEqual([]);
  });

  test('the cut never leaves half a character, which providers reject', () => {
    const units = toUnits([userMessage('u'), assistant(step, answeredCall('emoji', `a${'😀'.repeat(1_000)}`))]);
    for (let tokens = 100; tokens < 120; tokens++) {
      expect(contentOf(cutResults(units, tokens).units, 'emoji').isWellFormed()).toBe(true);
    }
  });

  test('the messages themselves are unchanged', () => {
    const messages = [userMessage('u'), assistant(step, answeredCall('long', 'x'.repeat(7_000)))];
    const before = structuredClone(messages);
    cutResults(toUnits(messages), 10);
    expect(messages).toEqual(before);
  });
});
