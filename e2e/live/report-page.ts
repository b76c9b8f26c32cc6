import { FAILURE_KINDS, type FailureKind } from '#e2e/lib/scenarios/checks.ts';
import { wilson } from '#e2e/lib/scenarios/stats.ts';
import type { AssistantPart, Message, UserMessage } from '#lib/messages/message.ts';
import { contentText } from '#lib/tools/core/content.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { Attempt, ScenarioReport, ScenarioResult } from './report.ts';

/** The report as a single page that loads nothing. What models wrote is always text, never markup. */
export function reportPage(report: ScenarioReport): string {
  const failed = report.results.flatMap((result) =>
    result.attempts.flatMap((attempt, index) => (attempt.failures.length > 0 ? [failure(result, attempt, index)] : [])),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Scenarios with ${plain(report.models.join(', '))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Scenarios with ${plain(report.models.join(', '))}</h1>
<p>${report.passed} of ${report.passed + report.failed} runs passed. Started ${plain(report.startedAt)}, finished ${plain(report.finishedAt)}. Numbers are medians of the runs.</p>
${comparison(report.results)}
<table>
<thead><tr><th scope="col">Scenario</th><th scope="col">Language</th><th scope="col">Model</th><th scope="col">Mode</th><th scope="col">Passed</th><th scope="col">Interval</th><th scope="col">Steps</th><th scope="col">Tokens in</th><th scope="col">Tokens out</th><th scope="col">Time</th><th scope="col">Failures</th></tr></thead>
<tbody>
${report.results.map(row).join('\n')}
</tbody>
</table>
${failed.length === 0 ? '' : `<h2>Runs that failed</h2>\n${failed.join('\n')}`}
</main>
</body>
</html>
`;
}

function row(result: ScenarioResult): string {
  const { title, language, model, mode, passed, runs, interval, kinds, steps, inputTokens, outputTokens, durationMs } =
    result;
  const state = passed === runs ? 'passed' : 'failed';
  return `<tr><th scope="row">${plain(title)}</th><td>${language}</td><td>${plain(model)}</td><td>${mode}</td><td class="${state}">${passed} of ${runs}</td><td>${percent(interval)}</td><td>${count(steps)}</td><td>${count(inputTokens)}</td><td>${count(outputTokens)}</td><td>${seconds(durationMs)}</td><td>${kindsText(kinds)}</td></tr>`;
}

const percent = ([low, high]: [number, number]): string => `${Math.round(low * 100)}–${Math.round(high * 100)} %`;

const kindsText = (kinds: ScenarioResult['kinds']): string =>
  Object.entries(kinds)
    .map(([kind, times]) => `${FAILURE_KINDS[kind as FailureKind]}${times > 1 ? ` (${times})` : ''}`)
    .join(', ');

/** Models and modes side by side, if there are several: all runs of each, and each scenario. */
function comparison(results: readonly ScenarioResult[]): string {
  const columns = [...new Map(results.map((result) => [`${result.model}, ${result.mode}`, result] as const)).keys()];
  if (columns.length < 2) return '';
  const cell = (cells: readonly ScenarioResult[]): string => {
    const right = cells.reduce((sum, { passed }) => sum + passed, 0);
    const total = cells.reduce((sum, { runs }) => sum + runs, 0);
    if (total === 0) return '<td>–</td>';
    const state = right === total ? 'passed' : 'failed';
    return `<td class="${state}">${right} of ${total} (${percent(wilson({ right, total }))})</td>`;
  };
  const rowOf = (name: string, isIn: (result: ScenarioResult) => boolean): string =>
    `<tr><th scope="row">${plain(name)}</th>${columns
      .map((column) => cell(results.filter((one) => `${one.model}, ${one.mode}` === column && isIn(one))))
      .join('')}</tr>`;
  const names = [...new Set(results.map(({ title, language }) => `${title} (${language})`))];
  return `<h2>Side by side</h2>
<table>
<thead><tr><th scope="col">Scenario</th>${columns.map((column) => `<th scope="col">${plain(column)}</th>`).join('')}</tr></thead>
<tbody>
${[rowOf('All', () => true), ...names.map((name) => rowOf(name, ({ title, language }) => `${title} (${language})` === name))].join('\n')}
</tbody>
</table>
<h2>Each scenario</h2>`;
}

function failure({ title, language, model, mode, runs }: ScenarioResult, attempt: Attempt, index: number): string {
  const { failures, transcript = [] } = attempt;
  return `<section>
<h3>${plain(title)} (${language}, ${plain(model)}, ${mode}${runs > 1 ? `, run ${index + 1}` : ''})</h3>
<ul class="failed">${failures.map((reason) => `<li>${plain(reason)}</li>`).join('')}</ul>
<details><summary>Transcript (messages: ${transcript.length}, steps: ${count(attempt.steps)}, time: ${seconds(attempt.durationMs)})</summary>
${transcript.map(article).join('\n')}
</details>
</section>`;
}

function article(message: Message): string {
  if (message.role === 'user') return `<article><h4>User</h4>${message.parts.map(userPart).join('')}</article>`;
  const { status } = message;
  const end =
    status.type === 'failed'
      ? `<p class="failed">Failed: ${plain(status.problem.code)}: ${plain(status.problem.detail)}</p>`
      : status.type === 'done'
        ? ''
        : `<p class="failed">The turn was left ${status.type}.</p>`;
  return `<article><h4>Model</h4>${message.parts.map(assistantPart).join('')}${end}</article>`;
}

const userPart = (part: UserMessage['parts'][number]): string =>
  part.type === 'text'
    ? `<pre>${plain(part.text)}</pre>`
    : `<p class="note">Attached: ${plain(part.filename ?? part.mediaType)}</p>`;

function assistantPart(part: AssistantPart): string {
  switch (part.type) {
    case 'text':
      return `<pre>${plain(part.text)}</pre>`;
    case 'reasoning':
      return `<details><summary>Thoughts</summary><pre>${plain(part.text)}</pre></details>`;
    case 'step': {
      const { settings, finishReason = 'not finished', usage, durationMs, notices } = part;
      const tokens = `${count(usage?.inputTokens ?? null)} tokens in, ${count(usage?.outputTokens ?? null)} out`;
      const said = notices.map((notice) => JSON.stringify(notice)).join(' ');
      return `<p class="note">Step: ${plain(part.model)}, ${settings.toolCalling}, ${tokens}, ${seconds(durationMs ?? null)}, ended by ${plain(finishReason)} ${plain(said)}</p>`;
    }
    case 'compaction':
      return `<details><summary>Summary</summary><pre>${plain(part.summary?.text ?? '')}</pre></details>`;
    case 'tool-call': {
      const input = part.inputState === 'complete' ? JSON.stringify(part.input, null, 2) : (part.inputText ?? '');
      const cut = part.inputState === 'complete' ? '' : ` (arguments ${part.inputState})`;
      return `<div class="call"><p>Call: <b>${plain(part.toolName)}</b>${cut}</p><pre>${plain(input)}</pre>${result(part.result)}</div>`;
    }
  }
}

function result(given: ToolResult | undefined): string {
  if (given === undefined) return '<p class="failed">No result</p>';
  if (given.type === 'tool-result') return `<p>Result</p><pre>${plain(contentText(given.output.content))}</pre>`;
  return `<p>Error: ${given.code}</p><pre>${plain(given.message)}</pre>`;
}

const count = (value: number | null): string => (value === null ? '–' : value.toLocaleString('en'));

const seconds = (ms: number | null): string => (ms === null ? '–' : `${(ms / 1_000).toFixed(1)} s`);

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

const plain = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES.get(character) ?? character);

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d4d4d8, #3f3f46); --muted: light-dark(#52525b, #a1a1aa);
  --passed: light-dark(#166534, #4ade80); --failed: light-dark(#b91c1c, #f87171); --surface: light-dark(#f4f4f5, #27272a); }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: light-dark(#fff, #18181b); color: light-dark(#18181b, #f4f4f5); }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; overflow-x: auto; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1rem; } h4 { margin: 0 0 .25rem; font-size: .85rem; color: var(--muted); }
table { border-collapse: collapse; width: 100%; } th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; }
tbody th { font-weight: 500; } td:nth-child(n + 4), thead th:nth-child(n + 4) { text-align: right; font-variant-numeric: tabular-nums; }
pre { margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, monospace; }
article { border-left: 2px solid var(--line); padding-left: .75rem; margin: 1rem 0; } p { margin: .25rem 0; }
.call { background: var(--surface); border-radius: 4px; padding: .5rem .75rem; margin: .5rem 0; } .note, summary { color: var(--muted); font-size: .9rem; }
summary { cursor: pointer; } .passed { color: var(--passed); } .failed { color: var(--failed); }
`;
