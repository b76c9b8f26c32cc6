// Makes sure that there is a usable Chromium: installs one if necessary, or says what to do.
import { spawnSync } from 'node:child_process';
import { BrowserError, type FoundBrowser, findBrowser } from './lib/browser.ts';

const isRoot = process.getuid?.() === 0;

function run(command: string, args: string[], minutes: number, env: Record<string, string> = {}): boolean {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: minutes * 60_000,
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return status === 0;
}

function find(): FoundBrowser | undefined {
  try {
    return findBrowser();
  } catch (error) {
    if (!(error instanceof BrowserError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function finishIfFound(): void {
  const found = find();
  if (found === undefined) return;
  process.stdout.write(`browser: ${found.source}${found.path === undefined ? '' : ` ${found.path}`}\n`);
  process.exit(0);
}

finishIfFound();
run('npx', ['--no-install', 'playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'], 10);
finishIfFound();
if (process.platform === 'linux') {
  const [command = 'apt-get', ...prefix] = [...(isRoot ? [] : ['sudo', '-n']), 'apt-get'];
  const apt = (...args: string[]) =>
    run(command, [...prefix, '-o', 'DPkg::Lock::Timeout=300', '-q', '-y', ...args], 15, {
      DEBIAN_FRONTEND: 'noninteractive',
    });
  apt('update');
  // Only Debian has the first of these packages.
  for (const browser of ['chromium-headless-shell', 'chromium'])
    if (apt('install', '--no-install-recommends', browser, 'fonts-liberation', 'fonts-noto-cjk')) break;
  finishIfFound();
}
process.stderr.write(
  'No Chromium found. Run `npx playwright install --with-deps chromium`, or install Chromium or Chrome and set PLAYWRIGHT_CHROMIUM=/path/to/it.\n',
);
process.exit(1);
