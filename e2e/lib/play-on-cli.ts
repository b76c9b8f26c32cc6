import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkScenario } from '#e2e/lib/scenarios/checks.ts';
import type { Scenario, ScenarioVariant } from '#e2e/lib/scenarios/scenario.ts';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import { fromLines, readLine } from '#lib/threads/openai-jsonl.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { ended, trustConfig } from './cli-bench.ts';
import type { PlayedScenario, PlayOptions } from './play-scenario.ts';

/** The tools of a scenario that need a browser. */
export function browserToolsOf({ expect, variants }: Scenario): string[] {
  const named = [
    ...expect.calls.map(({ tool }) => tool),
    ...variants.flatMap(({ turns = [] }) => turns.flat().flatMap(({ calls }) => calls.map(({ name }) => name))),
  ];
  return [...new Set(named)].filter((name) => toolRegistry.get(name)?.needs.includes('preview') === true);
}

/** A scenario that was played on the command line. */
interface PlayedOnCli extends PlayedScenario {
  /** The session as it was written. */
  session: string;
  /** The text files of the folder in the end. */
  files: ReadonlyMap<string, string>;
}

/** As in the studio, where files may be written and other calls are asked about. */
const CONFIG = 'permissions:\n  write: allow\nlimits:\n  steps: 25\n';

/**
 * Plays a scenario with the command line, over a folder with the scenario's files, and checks the result. Nobody is asked:
 * what would be asked is allowed or denied, as the scenario says.
 */
export async function playOnCli(
  scenario: Scenario,
  variant: ScenarioVariant,
  { model, mode, timeout, env }: PlayOptions & { env: NodeJS.ProcessEnv },
): Promise<PlayedOnCli> {
  const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
  try {
    for (const [path, text] of Object.entries(scenario.workspace)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const config = join(folder, '.roundtrip/config.yaml');
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, CONFIG);
    trustConfig(folder, CONFIG, env);
    const session = join(folder, '.roundtrip/sessions/played.jsonl');
    const failures: string[] = [];
    const startedAt = performance.now();
    for (const [index, prompt] of variant.prompts.entries()) {
      const yes = scenario.permission === 'allow' ? ['--yes'] : [];
      const args = ['run', '-', '--model', model, '--tool-calling', mode, '--session', session, ...yes];
      const child = spawn(process.execPath, [join(ROOT, 'bin/roundtrip.js'), ...args], { cwd: folder, env });
      const timer = setTimeout(() => child.kill('SIGINT'), timeout);
      child.stdin.end(prompt);
      const { code, stderr } = await ended(child);
      clearTimeout(timer);
      if (code === 0 || code === 3) continue;
      failures.push(`the answer to prompt ${index + 1} ended with ${code}: ${stderr.trim().split('\n').at(-1)}`);
      break;
    }
    const durationMs = Math.round(performance.now() - startedAt);
    const text = readFileSync(session, 'utf8');
    const messages = messagesIn(text);
    const turns = messages.filter((message): message is AssistantMessage => message.role === 'assistant');
    const files = filesIn(folder);
    failures.push(...checkScenario(scenario, variant, { turns, files }));
    return { failures, messages, durationMs, session: text, files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function messagesIn(session: string): Message[] {
  const lines = session
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => readLine(JSON.parse(line), index + 1));
  return fromLines(lines, { keepsIds: true }).nodes.map(({ message }) => message);
}

/** The text files of a folder, without those of the program. */
function filesIn(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.startsWith('.roundtrip') && statSync(join(folder, path)).isFile(),
  );
  return new Map(paths.map((path) => [`/${path}`, readFileSync(join(folder, path), 'utf8')]));
}
