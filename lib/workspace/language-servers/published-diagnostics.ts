import { setTimeout } from 'node:timers/promises';
import { untilAborted } from '#lib/base/until-aborted.ts';
import { PUSH_SETTLE_MS } from './limits.ts';
import { progressParams, publishedDiagnostics, type ServerDiagnostic } from './protocol.ts';
import type { WorkspacePaths } from './workspace-paths.ts';

/** The diagnostics that a language server has published by itself about the files that it has open. */
export class PublishedDiagnostics {
  /** By path. `diagnostics` is undefined until something has been published since `expect`. */
  readonly #documents = new Map<string, { version: number; diagnostics: readonly ServerDiagnostic[] | undefined }>();
  /** The tokens of work that the server has begun and not ended. */
  readonly #progress = new Set<string | number>();
  #activity = Promise.withResolvers<void>();
  readonly #paths: WorkspacePaths;

  constructor(paths: WorkspacePaths) {
    this.#paths = paths;
  }

  /**
   * Notes that the server got a document, or of a new version of it: earlier diagnostics are forgotten, and those of
   * earlier versions will not count.
   */
  expect(path: string, version: number): void {
    this.#documents.set(path, { version, diagnostics: undefined });
  }

  /** Forgets a document, because it was closed. */
  forget(path: string): void {
    this.#documents.delete(path);
  }

  /**
   * Takes the parameters of `textDocument/publishDiagnostics`; throws if they are invalid. Diagnostics of documents that are
   * not open, or of earlier versions, are ignored.
   */
  publish(params: unknown): void {
    const { uri, version, diagnostics } = publishedDiagnostics.parse(params);
    const path = this.#paths.path(uri);
    const document = path === undefined ? undefined : this.#documents.get(path);
    if (document === undefined || (version ?? document.version) < document.version) return;
    document.diagnostics = diagnostics;
    this.#act();
  }

  /** Takes the parameters of `$/progress`, which say when the server begins and ends work. */
  progress(params: unknown): void {
    const progress = progressParams.safeParse(params);
    // Results that arrive in parts are progress of another form, and nobody has asked for them.
    if (!progress.success) return;
    const { token, value } = progress.data;
    if (value.kind === 'end') this.#progress.delete(token);
    else this.#progress.add(token);
    this.#act();
  }

  /**
   * Resolves when the server has published diagnostics for all of these documents, has ended all work, and has been quiet for
   * `PUSH_SETTLE_MS`. Rejects with the signal's reason.
   */
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

  /** The problems in a document; undefined if nothing has been published about its current version. */
  of(path: string): readonly ServerDiagnostic[] | undefined {
    return this.#documents.get(path)?.diagnostics;
  }

  #act(): void {
    this.#activity.resolve();
    this.#activity = Promise.withResolvers();
  }
}
