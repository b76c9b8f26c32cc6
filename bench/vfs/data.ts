import { random } from '#lib/vfs/test/random.ts';

const PROJECTS = 5;
const FILES_PER_FOLDER = 20;

/** Occurs in one file of a hundred. */
export const NEEDLE = 'needle_[0-9]{4};';

const WORDS =
  'const let function return import export from await async class extends new if else for while switch case value index result data error handler state props render component module config options'.split(
    ' ',
  );

export type Files = readonly (readonly [path: string, data: Uint8Array])[];

/** Files of the given size in five projects, always the same: 10,000 files if a project has 100 folders. */
export function makeFiles(size: number, foldersPerProject: number): Files {
  const next = random(size);
  const encoder = new TextEncoder();
  return Array.from({ length: PROJECTS * foldersPerProject * FILES_PER_FOLDER }, (_, index) => {
    const file = index % FILES_PER_FOLDER;
    const folder = Math.floor(index / FILES_PER_FOLDER) % foldersPerProject;
    const project = Math.floor(index / (FILES_PER_FOLDER * foldersPerProject));
    let text = index % 100 === 0 ? `needle_${1000 + index / 100};\n` : '';
    while (text.length < size) text += `  ${WORDS[Math.floor(next() * WORDS.length)]}${Math.floor(next() * 1e4)};\n`;
    return [`/ws/p${project}/d${folder}/f${file}.ts`, encoder.encode(text.slice(0, size))] as const;
  });
}

/** Every folder of the files, parents first. */
export function foldersOf(files: Files): string[] {
  const folders = new Set<string>();
  for (const [path] of files) {
    const segments = path.split('/').slice(1, -1);
    segments.forEach((_, depth) => {
      folders.add(`/${segments.slice(0, depth + 1).join('/')}`);
    });
  }
  return [...folders].sort((a, b) => a.split('/').length - b.split('/').length);
}

/** The same paths in the same order for every subject. */
export function somePaths(files: Files, count: number): string[] {
  const next = random(7);
  return Array.from({ length: count }, () => files[Math.floor(next() * files.length)]?.[0] ?? '');
}
