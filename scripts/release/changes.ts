/** Returns the text of a version's section in a changelog; undefined if there is none, or if it is empty. */
export function changesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((one) => one.startsWith(`## [${version}]`));
  const text = section?.slice(section.indexOf('\n')).trim();
  return text === undefined || text === '' ? undefined : `${text}\n`;
}
