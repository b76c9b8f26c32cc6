import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/run.ts';
import { test } from './lib/fixtures.ts';

for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const)
  test(`shot ${scheme} ${width}`, async ({ studio, page, startBench }) => {
    const folder = mkdtempSync(join(tmpdir(), 'shots-'));
    const program = join(ROOT, 'lib/mcp-programs/test/program.ts');
    const line = (name: string, behavior: string, title: string) =>
      `  ${name}: { title: "${title}", command: "${process.execPath}", args: ["${program}", ${behavior}] }\n`;
    writeFileSync(
      join(folder, 'mcp.yaml'),
      `servers:\n${line('house', 'plain', 'House tools')}${line('broken', 'dead', 'Broken tools')}`,
    );
    await page.emulateMedia({ colorScheme: scheme });
    const bench = await startBench({ MCP_FILE: join(folder, 'mcp.yaml') });
    await studio.open({ url: bench.url });
    await page.setViewportSize({ width, height: 900 });
    await studio.openSettings('Tools');
    await page.getByText('From this studio · Connected').waitFor();
    await page.getByRole('list', { name: 'Tool servers' }).scrollIntoViewIfNeeded();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/h/shot-${scheme}-${width}.png` });
    await page.getByRole('button', { name: 'Show house' }).click();
    await page.getByRole('dialog', { name: 'Tool server house' }).waitFor();
    await page.screenshot({ path: `/tmp/h/shot-${scheme}-${width}-details.png` });
  });
