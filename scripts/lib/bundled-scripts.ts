import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';

/** A script that a thread or a process runs. */
const SCRIPT = /new URL\(\s*'(\.{1,2}\/[^']+\.ts)',\s*import\.meta\.url,?\s*\)/g;

/** Adds the scripts that threads and processes run to a bundle. */
export function bundledScripts(): Plugin {
  /** The sources of the scripts, by their names in the bundle. */
  const scripts = new Map<string, string>();
  return {
    name: 'bundled-scripts',
    transform(code, id) {
      if (id.includes('node_modules')) return null;
      const changed = code.replace(SCRIPT, (_, path: string) => {
        const fileName = `${basename(path, '.ts')}.js`;
        const script = join(dirname(id), path);
        if ((scripts.get(fileName) ?? script) !== script) this.error(`Two scripts are named ${fileName}.`);
        scripts.set(fileName, script);
        this.emitFile({ type: 'chunk', id: script, fileName });
        return `new URL('./${fileName}', import.meta.url)`;
      });
      return changed === code ? null : { code: changed, map: null };
    },
  };
}
