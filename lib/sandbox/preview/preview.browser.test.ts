import { expect, onTestFinished, test } from 'vitest';
import { Sandbox } from '#lib/sandbox/sandbox.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { Preview, type PreviewStatus } from './preview.ts';

/** Opens the preview of a workspace with one page. */
async function previewOf(html: string): Promise<Preview> {
  const fileSystem = new MemoryFileSystem();
  await fileSystem.transaction({ type: 'person' }, async (tx) =>
    tx.writeFile('/index.html', new TextEncoder().encode(html)),
  );
  const preview = new Preview({ fileSystem, sandbox: new Sandbox(undefined) });
  onTestFinished(() => preview.close());
  return preview;
}

/** An element in which a preview can be shown. */
function createPane(): HTMLElement {
  const pane = document.createElement('div');
  pane.style.cssText = 'position:relative;width:600px;height:400px';
  document.body.append(pane);
  onTestFinished(() => pane.remove());
  return pane;
}

for (const stage of ['building', 'loading', 'running'] satisfies PreviewStatus[])
  test(`a page that is moved into its pane while it is ${stage} is reported as it is there`, async () => {
    const preview = await previewOf('<title>Broken</title><script>missing();</script>');
    const pane = createPane();
    const unsubscribe = preview.subscribe(() => {
      if (preview.getState().status !== stage) return;
      unsubscribe();
      preview.attach(pane);
      preview.setVisible(true);
    });
    const report = await preview.open(undefined, { abortSignal: AbortSignal.timeout(15_000) });
    expect(report).toMatchObject({
      status: 'running',
      title: 'Broken',
      problems: [{ severity: 'error', message: 'ReferenceError: missing is not defined' }],
    });
    expect(preview.getState().status).toBe('running');
    expect(pane.querySelectorAll('iframe')).toHaveLength(1);
  });
