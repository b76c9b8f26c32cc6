import { setTimeout } from 'node:timers/promises';
import { untilAborted } from '#lib/base/until-aborted.ts';
import { PUSH_SETTLE_MS } from './limits.ts';
import { progressParams, publishedDiagnostics, type ServerDiagnostic } from './protocol.ts';
import type { WorkspacePaths } from './workspace-paths.ts';

/** The diagnostics that a server has published by itself about the files that it has open. */
export class PublishedDiagnostics {
  /** By path; undefined for a document about which nothing has been published since `expect`. */
  readonly #documents = new Map<string, { version: number; diagnostics: readonly ServerDiagnostic[] | undefined }>();
  /** Work that the server has begun and not ended. */
  readonly #progress = new Set<string | number>();
  #activity = Promise.withResolvers<void>();
  readonly #paths: WorkspacePaths;

  constructor(paths: WorkspacePaths) {
    this.#paths = paths;
  }

  /** From now on, only what is published about this version of a document, or a later one, counts. */
  expect(path: string, version: number): void {
    this.#documents.set(path, { version, diagnostics: undefined });
  }

  /** The document was closed. */
  forget(path: string): void {
    this.#documents.delete(path);
  }

  /** Takes the parameters of `textDocument/publishDiagnostics`; throws if they are invalid. */
  publish(params: unknown): void {
    const { uri, version, diagnostics } = publishedDiagnostics.parse(params);
    const path = this.#paths.path(uri);
    const document = path === undefined ? undefined : this.#documents.get(path);
    if (document === undefined || (version ?? document.version) < document.version) return;
    document.diagnostics = diagnostics;
    this.#act();
  }

  /** Takes the parameters of `$/progress`. */
  progress(params: unknown): void {
    const progress = progressParams.safeParse(params);
    // Results that arrive in parts are progress of another form, and nobody has asked for them.
    if (!progress.success) return;
    const { token, value } = progress.data;
    if (value.kind === 'end') this.#progress.delete(token);
    else this.#progress.add(token);
    this.#act();
  }

  /** Resolves when everything about these documents has been published, and the server has been quiet for a while. */
  async settle(paths: readonly string[], signal: AbortSignal): Promise<void> {
    for (;;) {
      const activity = this.#activity.promise;
      if (this.#progress.size === 0 && paths.every((path) => this.of(path) !== undefined)) {
        const quiet = setTimeout(PUSH_SETTLE_MS, true, { ref: false });
        if (await untilAborted(Promise.race([quiet, activity.then(() => false)]), signal)) return;
      } else {
        await untilAborted(activity, signal);
      }
    }
  }

  /** The problems in a document; undefined if nothing has been published. */
  of(path: string): readonly ServerDiagnostic[] | undefined {
    return this.#documents.get(path)?.diagnostics;
  }

  #act(): void {
    this.#activity.resolve();
    this.#activity = Promise.withResolvers();
  }
}
